/**
 * A connector's settings, from the file that is posted to Connect or from Connect itself, the sink that they configure, and
 * that sink's task without a worker. It uses {@code cluster} for the configuration providers, and knows no topics.
 */
package io.tidegate.connect.tools.connector;
