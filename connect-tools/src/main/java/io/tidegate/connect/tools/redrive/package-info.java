/**
 * {@code tidegate redrive}: what a dead letter topic holds, and the sink's own task that writes the chosen letters again.
 * The committed offsets of a consumer group say which of them are done.
 */
package io.tidegate.connect.tools.redrive;
