/**
 * The parts of a row: the fields of a record, their wire types, the columns, and the names of tables. All other
 * packages of this sink use it. It imports no other package of this sink.
 */
package io.tidegate.connect.jsonb.row;
