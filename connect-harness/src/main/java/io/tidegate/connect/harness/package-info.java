/**
 * What the quickstart and the benchmarks share: YAML files, and queries to PostgreSQL and Elasticsearch. The
 * quickstart and the benchmarks call this package; it imports neither of them.
 */
package io.tidegate.connect.harness;
