/**
 * Statements: their text, their parameters, and the table of offsets with its fence. {@code write} executes them. This
 * package neither classifies errors nor retries. It must not import {@code write} or {@code check}.
 */
package io.tidegate.connect.jsonb.sql;
