/**
 * The bytes of records' values, and JSON in them: walked without a tree, with the values at some paths; and why a record
 * is refused. It does no input or output, and of the core it imports nothing.
 */
package io.tidegate.connect.common.value;
