/** The main class of a broker in a JVM that the testkit starts; nothing of this project is on that JVM's class path. */
package io.tidegate.servers.kafka;
