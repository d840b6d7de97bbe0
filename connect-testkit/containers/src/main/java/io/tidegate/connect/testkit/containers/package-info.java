/**
 * The same servers as containers, found as a service when {@code tidegate.servers=containers}. The tests of the stacks ask
 * it whether there is a Docker engine; the tests of a sink see {@link io.tidegate.connect.testkit.Servers} only.
 */
package io.tidegate.connect.testkit.containers;
