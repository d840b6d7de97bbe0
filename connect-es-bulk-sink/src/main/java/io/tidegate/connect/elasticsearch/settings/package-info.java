/**
 * The settings of the sink, one record for each concern. {@code ElasticsearchTargetType} calls {@code define} while it makes
 * the {@code ConfigDef}, and {@code from} and {@code problems} to check a configuration; all other packages read the typed
 * values. This package sends no request, reads no file and imports no HTTP client, and nothing from {@code client},
 * {@code bulk}, {@code write} or {@code check}.
 */
package io.tidegate.connect.elasticsearch.settings;
