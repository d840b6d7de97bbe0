/**
 * What a row is made of: the fields of a record, how each goes over the wire, the columns, and names of tables. Everything
 * else in this sink uses it. It imports no other package of this sink.
 */
package io.tidegate.connect.jsonb.row;
