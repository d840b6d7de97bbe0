/**
 * Statements: their text, their parameters, and the table of offsets with its fence. {@code write} executes them. It
 * neither classifies errors nor retries, and must not import {@code write} or {@code check}.
 */
package io.tidegate.connect.jsonb.sql;
