/**
 * {@code ./quickstart}: the whole pipeline on real servers, from one command. Only its main class is called from outside; it uses
 * the testkit's servers and connect-tools, and must not import the benchmarks or the sinks, which the worker loads as plugins.
 */
package io.tidegate.connect.quickstart;
