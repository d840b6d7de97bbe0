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
                .millis(UNAUTHORIZED_RETRY_MS, "Patience with 401", 30_000)
                .between(0, 3_600_000)
                .low("How long a task retries when access is refused, in milliseconds, before it fails. After a restart"
                        + " Elasticsearch answers 401 to everybody until its security index is available. A proxy's own"
                        + " 403, 404, 407 or redirection, a certificate that is not trusted (as of one node of several while"
                        + " certificates are replaced) and an answer that is not Elasticsearch's count too, once the"
                        + " server has answered. 0 fails at once.")
                .configDef();
    }

    public static AccessSettings from(AbstractConfig config) {
        return new AccessSettings(Duration.ofMillis(config.getLong(UNAUTHORIZED_RETRY_MS)));
    }
}
