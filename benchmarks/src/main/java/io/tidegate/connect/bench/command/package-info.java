/**
 * What subcommands share: their base, and the option blocks for input and rounds. Commands and scenarios call it; it must import
 * neither.
 */
package io.tidegate.connect.bench.command;
