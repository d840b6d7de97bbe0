/**
 * TLS from settings: who is trusted, the client's own certificate, reading files again when they change, and when
 * certificates end. Elasticsearch's client and the schema registry's use it. It knows no HTTP.
 */
package io.tidegate.connect.common.tls;
