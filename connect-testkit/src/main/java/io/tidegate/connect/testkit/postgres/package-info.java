/**
 * PostgreSQL servers with standbys, and PgBouncer. Tests and benchmarks call this package; it imports no other kind of
 * server.
 */
package io.tidegate.connect.testkit.postgres;
