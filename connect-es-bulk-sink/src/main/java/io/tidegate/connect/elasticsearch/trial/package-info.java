/**
 * What {@code ./tidegate try} asks Elasticsearch: the sink's own writer with a simulation in place of bulk requests. No task
 * uses it.
 */
package io.tidegate.connect.elasticsearch.trial;
