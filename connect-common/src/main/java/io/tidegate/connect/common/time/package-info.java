/**
 * Time and waiting. Every class that waits or measures time is given a {@link io.tidegate.connect.common.time.Clock},
 * so that tests decide how time passes. An {@link io.tidegate.connect.common.time.Outage} is logged at growing
 * intervals. It imports no other package of the core.
 */
package io.tidegate.connect.common.time;
