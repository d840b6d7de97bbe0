/**
 * The main class of a node in a JVM that the testkit starts; nothing else of this project is on that JVM's class path.
 * OpenSearch 3 compiles it again with its own JDK.
 */
package io.tidegate.servers.opensearch;
