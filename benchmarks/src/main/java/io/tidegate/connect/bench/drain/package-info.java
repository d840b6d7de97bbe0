/**
 * Drains a filled topic: candidates run in turns, round by round, until the store holds every record. Commands call
 * this package; it must import neither them nor picocli.
 */
package io.tidegate.connect.bench.drain;
