/**
 * What every command line of the project shares: errors that a user can fix, the version, Ctrl-C. It needs picocli and
 * nothing else.
 */
package io.tidegate.connect.cli;
