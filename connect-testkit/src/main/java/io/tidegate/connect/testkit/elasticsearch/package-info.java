/**
 * Elasticsearch and OpenSearch nodes, and requests to them. Tests and benchmarks call this package; it imports no other
 * kind of server.
 */
package io.tidegate.connect.testkit.elasticsearch;
