/** Draws cases: which settings may be drawn with which values, and histories whose meaning the oracle knows. */
package io.tidegate.connect.check.draw;
