/**
 * {@code report.html} and the pictures of its charts. The page is one file without network, for a laptop, a phone and paper, and for eyes
 * that tell colours apart less well. All benchmarks, {@code plan} and {@code compare} call it; it must import only {@code results} and the
 * errors and interruption of {@code bench}.
 *
 * <p>Charts are drawn by hand: libraries such as XChart need fonts for SVG too, give half of a phone's width to long names, and have no
 * stacked horizontal bars and no whiskers from lowest to highest. JSVG paints the pictures from the same SVG.
 */
package io.tidegate.connect.bench.report;
