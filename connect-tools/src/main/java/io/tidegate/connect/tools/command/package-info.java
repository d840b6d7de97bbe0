/**
 * What every command line of the project shares: errors that a user can fix, the version, Ctrl-C. It needs picocli and
 * nothing else, because other modules use it without this module's dependencies.
 */
package io.tidegate.connect.tools.command;
