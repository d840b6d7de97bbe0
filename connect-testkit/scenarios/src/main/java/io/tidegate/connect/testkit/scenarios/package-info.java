/**
 * The scenarios that every sink passes, and what their tests need: a sink's integration test extends {@link
 * io.tidegate.connect.testkit.scenarios.SinkScenarios} and brings its {@link
 * io.tidegate.connect.testkit.scenarios.Store}. It imports no sink.
 */
package io.tidegate.connect.testkit.scenarios;
