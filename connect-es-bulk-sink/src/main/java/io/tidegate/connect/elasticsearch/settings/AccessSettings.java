package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.SettingGroup;
import java.time.Duration;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How a task reacts when the server refuses access.
 *
 * @param unauthorizedRetry how long it retries with the same credentials
 */
public record AccessSettings(Duration unauthorizedRetry) {
    public static final String UNAUTHORIZED_RETRY_MS = "unauthorized.retry.ms";

    public AccessSettings {
        requireNonNull(unauthorizedRetry, "unauthorizedRetry");
    }

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Connection")
                .millis(UNAUTHORIZED_RETRY_MS, "Retry time for refused access", 900_000)
                .between(0, 86_400_000)
                .low(
                        "How long, in milliseconds, a task that has written treats refused access (401, 403, 407, a proxy's"
                                + " 404, redirection or page, an untrusted certificate) as an outage before it fails. A task"
                                + " that has not written yet waits at most 30 seconds, for 401, AWS's 403, a proxy's page or,"
                                + " with several nodes, such a certificate."
                                + " Meanwhile, settings from a config provider are read again every 30 seconds. 0 fails at"
                                + " once.")
                .configDef();
    }

    public static AccessSettings from(AbstractConfig config) {
        return new AccessSettings(Duration.ofMillis(config.getLong(UNAUTHORIZED_RETRY_MS)));
    }
}
