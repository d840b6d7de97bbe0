/**
 * {@code ./check}: draws cases for a sink, runs them on real servers and compares with an oracle. {@code plan} is a case as
 * data, {@code draw} draws it, {@code run} runs it, {@code event} is what happens meanwhile, {@code oracle} says what must hold.
 */
package io.tidegate.connect.check;
