/**
 * Kafka Connect workers: their metrics over JMX, and plugins for them. It imports only the testkit and errors of users.
 */
package io.tidegate.connect.lab.worker;
