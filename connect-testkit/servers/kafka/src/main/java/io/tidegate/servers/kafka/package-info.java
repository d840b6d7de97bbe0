/**
 * The main class of a broker in a JVM that the testkit starts. The class path of that JVM has nothing else of this
 * project.
 */
package io.tidegate.servers.kafka;
