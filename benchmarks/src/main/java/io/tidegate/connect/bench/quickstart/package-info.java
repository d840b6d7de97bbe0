/** The whole pipeline on real servers, from one command: see {@code ./quickstart --help}. */
package io.tidegate.connect.bench.quickstart;
