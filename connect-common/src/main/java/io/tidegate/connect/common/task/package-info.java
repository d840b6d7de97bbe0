/**
 * Connect's callbacks and what they need: the connector, the task, the pipeline from records to lanes and from lanes to
 * offsets, back-pressure and metrics. Connect calls it through the sinks' subclasses. No other package of the core may
 * import it.
 */
package io.tidegate.connect.common.task;
