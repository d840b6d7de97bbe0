/**
 * PostgreSQL servers with standbys, and PgBouncer in front of them. Tests and benchmarks call it; it imports no other kind
 * of server.
 */
package io.tidegate.connect.testkit.postgres;
