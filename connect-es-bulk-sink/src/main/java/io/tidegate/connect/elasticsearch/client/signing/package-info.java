/**
 * What a credentials provider adds to each request. {@code client} uses it and keeps it away from all others. It must not
 * import {@code client}.
 */
package io.tidegate.connect.elasticsearch.client.signing;
