/**
 * PostgreSQL servers with standbys, PgBouncer, and clusters that Patroni manages. Tests and benchmarks call this package;
 * it imports no other kind of server.
 */
package io.tidegate.connect.testkit.postgres;
