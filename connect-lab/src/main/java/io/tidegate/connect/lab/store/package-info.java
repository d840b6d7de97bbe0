/**
 * The servers that sinks write to, and queries about them: how much has arrived, how many connections are open. The
 * quickstart and the benchmarks create and close them. A store knows no connector and no measurement.
 */
package io.tidegate.connect.lab.store;
