/**
 * What a store, the dead letter topic and a connector must look like after a case, from the records as Kafka has them and
 * from what the configuration promises. Read {@link io.tidegate.connect.check.oracle.Oracle} first, then {@link
 * io.tidegate.connect.check.oracle.Promises}. This package is the specification: it uses no other package of this project.
 */
package io.tidegate.connect.check.oracle;
