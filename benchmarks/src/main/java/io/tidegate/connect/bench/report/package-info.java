/**
 * {@code report.html} and the pictures of its charts. The page is one file that needs no network. It suits laptops,
 * phones, print and colour-blind readers. All benchmarks, {@code plan} and {@code compare} call this package. It may
 * import only {@code results} and connect-lab.
 */
package io.tidegate.connect.bench.report;
