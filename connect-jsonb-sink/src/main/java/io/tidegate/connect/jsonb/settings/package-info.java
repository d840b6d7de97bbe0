/**
 * The settings of the sink, one record for each concern. {@code PostgresTargetType} calls {@code define} while it makes the
 * {@code ConfigDef}, and {@code from} and {@code problems} to check a configuration; all other packages read the typed values.
 * This package contains no SQL and opens no connection. It imports nothing from {@code sql}, {@code client}, {@code write} or
 * {@code check}, and of pgjdbc only what parses a URL.
 */
package io.tidegate.connect.jsonb.settings;
