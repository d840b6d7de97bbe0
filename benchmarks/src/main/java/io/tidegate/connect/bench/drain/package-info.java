/**
 * Draining a filled topic: candidates in turns, round by round, until the store holds every record. Commands and scenarios call
 * it; it must import neither, and no picocli.
 */
package io.tidegate.connect.bench.drain;
