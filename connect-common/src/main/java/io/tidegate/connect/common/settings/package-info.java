/**
 * The settings that every sink has, one record for each concern, and the means to define settings: {@code SettingGroup} for
 * a group of them, {@code EnumSetting} for enumerations, {@code Aliases} for the names that other connectors use. Sinks call
 * {@code define} while they make their {@code ConfigDef}, and {@code from} when a connector or task starts; from then on
 * only the typed values travel. This package imports no other package of the project, and nothing that talks to a server.
 */
package io.tidegate.connect.common.settings;
