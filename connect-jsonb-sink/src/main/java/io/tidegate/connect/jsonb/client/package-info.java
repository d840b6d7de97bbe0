/**
 * Connects to the server: the pool that a worker's tasks share, its sessions, and the table that says what each
 * SQLSTATE means. {@code sql}, {@code write} and {@code check} call it. It contains no statements that
 * write. It must not import {@code sql}, {@code write} or {@code check}.
 */
package io.tidegate.connect.jsonb.client;
