/**
 * The servers of a measurement with workers and connectors on them, and the samples of a run. Measurements call it; it must not
 * import them, nor connectors' descriptions.
 */
package io.tidegate.connect.bench.testbed;
