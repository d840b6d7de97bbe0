/**
 * A client for tools that changes nothing on the server. The target uses it for a trial; no other package of this sink
 * imports it but {@code write}.
 */
package io.tidegate.connect.elasticsearch.client.simulation;
