/**
 * The servers that sinks write to, and what is asked of them: how much has arrived, how many connections are open. The
 * quickstart and the benchmarks make and close them; a store knows no connector and no measurement.
 */
package io.tidegate.connect.tools.store;
