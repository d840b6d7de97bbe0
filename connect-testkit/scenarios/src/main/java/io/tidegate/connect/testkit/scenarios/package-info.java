/**
 * The scenarios that every sink must pass, and tools for their tests. A sink's integration test extends {@link
 * io.tidegate.connect.testkit.scenarios.SinkScenarios} and supplies its {@link
 * io.tidegate.connect.testkit.scenarios.Store}. This package imports no sink.
 */
package io.tidegate.connect.testkit.scenarios;
