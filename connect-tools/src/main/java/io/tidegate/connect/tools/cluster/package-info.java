/**
 * The worker as the user describes it, by its properties file or on the command line: its plugins, converters and
 * configuration providers, and how its clients reach Kafka. It imports no other package but {@code command}.
 */
package io.tidegate.connect.tools.cluster;
