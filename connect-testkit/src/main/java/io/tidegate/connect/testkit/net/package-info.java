/**
 * Ports, certificates, passwords, HTTP, and a proxy that cuts connections. The packages of the servers call it, and tests;
 * of the testkit it imports {@code process} only.
 */
package io.tidegate.connect.testkit.net;
