/**
 * Tools of all command lines of this project: error messages for users, Ctrl-C, YAML files, and queries to PostgreSQL
 * and Elasticsearch. The quickstart and the benchmarks call this package. It imports the testkit's servers, but neither
 * the quickstart nor the benchmarks.
 */
package io.tidegate.connect.tools;
