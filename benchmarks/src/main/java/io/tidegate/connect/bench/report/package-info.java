/**
 * {@code report.html} and the pictures of its charts. The page is one file that needs no network. It suits laptops,
 * phones, print and colour-blind readers. JFreeChart draws the charts, a Mustache template is the page. All
 * benchmarks call this package. It may import only {@code results}.
 */
package io.tidegate.connect.bench.report;
