/**
 * {@code ./quickstart}: the whole pipeline on real servers, with one command. Only the main class is used from outside.
 * This package uses the testkit's servers and connect-tools. It must not import the benchmarks or the sinks, because
 * the worker loads the sinks as plugins.
 */
package io.tidegate.connect.quickstart;
