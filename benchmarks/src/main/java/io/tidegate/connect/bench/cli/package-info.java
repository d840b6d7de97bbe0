/**
 * The subcommands of {@code ./bench}, each with its options. Only {@link io.tidegate.connect.bench.cli.Bench#main} is called from
 * outside. It may import every other package, and none imports it.
 */
package io.tidegate.connect.bench.cli;
