/**
 * Traces: the write of a batch is a span with links to the traces of its records. It uses the OpenTelemetry API of the
 * worker, and does nothing where the worker has none. {@code task} wraps each writer once. Only {@code TracedWriter} names
 * OpenTelemetry's classes.
 */
package io.tidegate.connect.common.tracing;
