/**
 * The Elasticsearch sink as Connect and the core see it: connector, task, settings and the target of a task. Connect
 * starts it; it puts the other packages together. None of them may import it.
 */
package io.tidegate.connect.elasticsearch;
