/**
 * The subcommands of {@code ./bench scenario}: situations that operators ask about, a class each. Only the command line calls
 * them; they may import measurements, not {@code cli}.
 */
package io.tidegate.connect.bench.scenario;
