/**
 * Brings a batch to the server: retries, splits, refuses, and keeps refused records until they are reported. A lane
 * calls {@link io.tidegate.connect.common.delivery.Delivery}, the task thread calls {@link
 * io.tidegate.connect.common.delivery.DeadLetters}. It must not import {@code lane} or {@code task}, and it knows no
 * server: what an error means is the sink's answer.
 */
package io.tidegate.connect.common.delivery;
