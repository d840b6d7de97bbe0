/**
 * How far a partition is written. The task thread accepts offsets, lanes acknowledge them, and a commit asks for the
 * first that is pending. It imports no other package of the core.
 */
package io.tidegate.connect.common.offset;
