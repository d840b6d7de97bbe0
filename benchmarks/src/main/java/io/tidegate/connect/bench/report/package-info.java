/**
 * {@code report.html} and the pictures of its charts. The page is one file that needs no network. It suits laptops,
 * phones, print and colour-blind readers. All benchmarks, {@code plan} and {@code compare} call this package. It may
 * import only {@code results} and connect-harness.
 *
 * <p>The charts are drawn without a library. Libraries such as XChart need fonts even for SVG, give half of a phone's
 * width to long names, and lack stacked horizontal bars and whiskers. JSVG paints the pictures from the same SVG.
 */
package io.tidegate.connect.bench.report;
