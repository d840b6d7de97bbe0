/**
 * TLS from the settings: trust, the sink's own certificate, reloading, and when certificates end. {@code client}
 * calls it. It knows no HTTP, and must not import {@code client}.
 */
package io.tidegate.connect.elasticsearch.client.tls;
