/**
 * The servers of a measurement, and the samples of a run. Packages that measure call this package; it must import
 * neither them nor the descriptions of connectors.
 */
package io.tidegate.connect.bench.testbed;
