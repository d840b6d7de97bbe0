/**
 * The interfaces that the plugin transport-grpc needs of transport-grpc-spi, which is not on Maven Central. They have only
 * the methods that the plugin calls.
 */
package org.opensearch.transport.grpc.spi;
