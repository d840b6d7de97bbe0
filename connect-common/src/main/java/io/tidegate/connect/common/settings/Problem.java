package io.tidegate.connect.common.settings;

/**
 * One setting that cannot stay as it is.
 *
 * @param key the setting to change
 * @param message what is wrong with it and what would be right; no secrets
 */
public record Problem(String key, String message) {}
