/**
 * {@code tidegate audit}: compares what the sink would have written with what its store has, and repairs that on request.
 * The sinks' own classes make what is expected; the store does the comparing. Only the root package may import it.
 */
package io.tidegate.connect.tools.audit;
