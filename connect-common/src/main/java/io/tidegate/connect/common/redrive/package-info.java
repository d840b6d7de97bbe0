/**
 * Dead letters that are written again under their original coordinates. A target gives a {@link
 * io.tidegate.connect.common.redrive.Redrive} to its mapper if {@code redrive=true}.
 */
package io.tidegate.connect.common.redrive;
