/**
 * How far a partition is written. The task thread accepts offsets, and lanes acknowledge them. A commit asks for the
 * first pending offset. It imports no other package of the core.
 */
package io.tidegate.connect.common.offset;
