/**
 * What the quickstart and the benchmarks share: errors for users, Ctrl-C, YAML files, and queries to PostgreSQL and Elasticsearch. The
 * quickstart and the benchmarks call this package; it imports neither of them.
 */
package io.tidegate.connect.harness;
