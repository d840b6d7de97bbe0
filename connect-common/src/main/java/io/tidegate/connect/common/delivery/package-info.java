/**
 * Brings a batch to the server: it retries, splits and refuses, and keeps refused records until they are reported. A
 * lane calls {@link io.tidegate.connect.common.delivery.Delivery}; the task thread calls
 * {@link io.tidegate.connect.common.delivery.DeadLetters}. It must not import {@code lane} or {@code task}. It knows no
 * server: the sink classifies each error.
 */
package io.tidegate.connect.common.delivery;
