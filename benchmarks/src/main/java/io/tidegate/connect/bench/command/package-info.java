/**
 * The base class of all subcommands, and the options that several of them share. Commands and scenarios use this
 * package; it must import neither.
 */
package io.tidegate.connect.bench.command;
