/**
 * The way to the cluster: the HTTP client that a worker's tasks share, a writer's session on it, and the tables that
 * say what each error, HTTP status and request without an answer means. {@code write}, {@code bulk} and {@code check} call it. It never
 * retries, it keeps the HTTP library out of all other packages, and must not import them.
 */
package io.tidegate.connect.elasticsearch.client;
