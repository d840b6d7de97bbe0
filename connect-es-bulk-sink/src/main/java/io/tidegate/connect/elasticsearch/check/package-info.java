/**
 * Asks the cluster whether a configuration can work, before Connect accepts it. {@link
 * io.tidegate.connect.elasticsearch.ElasticsearchTargetType} calls it. It changes nothing on the cluster and must not
 * import {@code write} or {@code bulk}.
 */
package io.tidegate.connect.elasticsearch.check;
