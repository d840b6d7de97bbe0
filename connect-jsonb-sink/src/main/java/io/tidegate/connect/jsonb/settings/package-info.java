/**
 * The settings of the sink, one record for each concern. {@code PostgresTargetType} calls {@code define} to build the
 * {@code ConfigDef}, and {@code from} and {@code problems} to check a configuration. All other packages read the typed
 * values. This package contains no SQL and opens no connection. It imports nothing from {@code sql}, {@code client},
 * {@code write} or {@code check}. From pgjdbc it imports only what parses a URL.
 */
package io.tidegate.connect.jsonb.settings;
