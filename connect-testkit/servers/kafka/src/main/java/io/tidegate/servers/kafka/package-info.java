/** The main class of a broker in a separate JVM, whose class path has no other class of this project. */
package io.tidegate.servers.kafka;
