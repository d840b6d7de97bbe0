package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * What becomes of a task whose credentials the server does not accept.
 *
 * @param unauthorizedRetry how long it goes on trying with them
 */
public record AccessSettings(Duration unauthorizedRetry) {
    public static final String UNAUTHORIZED_RETRY_MS = "unauthorized.retry.ms";

    public AccessSettings {
        requireNonNull(unauthorizedRetry, "unauthorizedRetry");
    }

    public static ConfigDef define(ConfigDef def) {
        return def.define(
                UNAUTHORIZED_RETRY_MS,
                Type.LONG,
                30_000L,
                Range.between(0, 3_600_000),
                Importance.LOW,
                "How long a task goes on when the server answers 401, before it takes the credentials for wrong and fails, in"
                        + " milliseconds. Elasticsearch answers so to everybody after a restart until its security index is"
                        + " there again. 0 fails at once.",
                "Connection",
                10,
                ConfigDef.Width.SHORT,
                "Patience with 401");
    }

    public static AccessSettings from(AbstractConfig config) {
        return new AccessSettings(Duration.ofMillis(config.getLong(UNAUTHORIZED_RETRY_MS)));
    }
}
