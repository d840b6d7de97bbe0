/**
 * {@code tidegate}, the command line of operators. The root package is the main class with its subcommands. It reads a
 * connector's file as Connect would, and leaves all work on records to Connect's and the sinks' own classes.
 */
package io.tidegate.connect.tools;
