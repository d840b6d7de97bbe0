/**
 * The subcommands of {@code ./bench}, each with its options. Only {@link io.tidegate.connect.bench.cli.Bench#main} is
 * called from outside. This package may import every other package; no package imports it.
 */
package io.tidegate.connect.bench.cli;
