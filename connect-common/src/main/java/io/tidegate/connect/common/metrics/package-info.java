/**
 * A metric, a window of recent values, and the ways to publish metrics: JMX, and Connect's own metrics where the
 * worker has them. {@code task} and the sinks make the metrics; any thread reads them. It imports no other package of
 * the core.
 */
package io.tidegate.connect.common.metrics;
