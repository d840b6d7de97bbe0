/**
 * Time and waiting. Every class that waits or measures time is given a {@link io.tidegate.connect.common.time.Clock},
 * so that tests decide how time passes. It imports no other package of the core.
 */
package io.tidegate.connect.common.time;
