/**
 * The subcommands of {@code ./bench scenario}: a class for each situation that operators ask about. Only the command
 * line calls this package; it may import packages that measure, but not {@code cli}.
 */
package io.tidegate.connect.bench.scenario;
