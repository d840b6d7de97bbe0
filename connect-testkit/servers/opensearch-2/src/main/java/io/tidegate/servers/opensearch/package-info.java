/**
 * The main class of a node in a JVM that the testkit starts. The class path of that JVM has nothing else of this
 * project. OpenSearch 3 compiles it again with a newer JDK.
 */
package io.tidegate.servers.opensearch;
