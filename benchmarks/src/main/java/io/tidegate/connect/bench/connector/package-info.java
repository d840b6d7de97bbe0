/**
 * Connectors as their files in {@code benchmarks/sinks} and {@code benchmarks/peers} describe them, and their plugins. Commands,
 * scenarios and measurements read them; it must not import what measures.
 */
package io.tidegate.connect.bench.connector;
