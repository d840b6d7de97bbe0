/**
 * The base class of all subcommands, and the options that several of them share. Commands use this package; it must
 * not import them.
 */
package io.tidegate.connect.bench.command;
