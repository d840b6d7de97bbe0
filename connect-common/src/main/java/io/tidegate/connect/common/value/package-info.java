/**
 * The bytes of records' values, and JSON in them: checked, walked without a tree, with the values at some paths; and why a
 * record is refused. It decodes no record by itself: {@code frame}, {@code format}, {@code envelope} and then {@code
 * document} do, in this order, and use it. It does no input or output, and of the core it imports nothing.
 */
package io.tidegate.connect.common.value;
