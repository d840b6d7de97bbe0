/**
 * Ports, certificates, passwords, HTTP, and a proxy that makes connections fail. The packages of the servers and tests
 * call this package; of the testkit it imports only {@code process}.
 */
package io.tidegate.connect.testkit.net;
