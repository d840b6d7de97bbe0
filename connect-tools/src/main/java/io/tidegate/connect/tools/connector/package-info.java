/**
 * A connector's file, as it is posted to Connect, and the sink that it configures. It uses {@code cluster} for the
 * configuration providers, and knows no records.
 */
package io.tidegate.connect.tools.connector;
