/**
 * Certificates, passwords, HTTP, a proxy that makes connections fail, and one that wants a password. The packages of
 * the servers and tests call this package; of the testkit it imports only {@code process}.
 */
package io.tidegate.connect.testkit.net;
