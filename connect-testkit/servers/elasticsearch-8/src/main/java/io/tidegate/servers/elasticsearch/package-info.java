/**
 * What a node from Maven Central's jars lacks, in a JVM that the testkit starts; nothing else of this project is on that
 * JVM's class path. Elasticsearch 9 compiles the same sources with its own JDK.
 */
package io.tidegate.servers.elasticsearch;
