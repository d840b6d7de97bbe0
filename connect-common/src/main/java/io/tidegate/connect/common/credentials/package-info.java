/**
 * Credentials that are asked for at the moment they are needed, and may expire: the SPI, its settings, and the provider that
 * reads a file. Other providers are modules that are found as a service, only if a connector names one. The sinks' clients
 * ask; it must not import them.
 */
package io.tidegate.connect.common.credentials;
