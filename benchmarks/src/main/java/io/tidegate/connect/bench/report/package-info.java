/** {@code report.html}: one file without network, for a laptop, a phone and paper, and for eyes that tell colours apart less well. */
package io.tidegate.connect.bench.report;
