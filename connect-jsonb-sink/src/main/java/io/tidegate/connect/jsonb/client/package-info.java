/**
 * The way to the server: the pool that a worker's tasks share, its sessions, and the table that says what each SQLSTATE
 * means. {@code sql}, {@code write} and {@code check} call it. It knows no rows and no statements, so it must not import
 * {@code sql}, {@code write} or {@code check}.
 */
package io.tidegate.connect.jsonb.client;
