/**
 * The testkit's servers as containers, chosen by {@code tidegate.servers=containers}. The tests of the stacks ask this
 * package whether a Docker engine runs; the tests of a sink use only {@link io.tidegate.connect.testkit.Servers}.
 */
package io.tidegate.connect.testkit.containers;
