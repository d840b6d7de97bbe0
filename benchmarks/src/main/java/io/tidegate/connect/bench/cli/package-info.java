/** The command {@code ./bench}, and what its subcommands have in common. */
package io.tidegate.connect.bench.cli;
