/**
 * Replacements for what the jars on Maven Central lack. They run in the node's JVM, which the testkit starts and whose
 * class path has nothing else of this project. Elasticsearch 9 compiles the same sources with a newer JDK.
 */
package io.tidegate.servers.elasticsearch;
