/**
 * Charts as SVG and PNG, and HTML pages that need no network. Package {@code report} calls it; it imports only errors.
 *
 * <p>The charts are drawn without a library. Libraries such as XChart need fonts even for SVG, give half of a phone's
 * width to long names, and lack stacked horizontal bars and whiskers. JSVG paints the pictures from the same SVG.
 */
package io.tidegate.connect.bench.chart;
