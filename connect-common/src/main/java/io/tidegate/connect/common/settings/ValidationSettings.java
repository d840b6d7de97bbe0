package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Locale;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;

/** How a connector's configuration is checked before Connect accepts it. */
public record ValidationSettings(ServerQuestion server) {
    public static final String VALIDATE_SERVER = "validate.server";

    /** Whether the server is asked, and what its silence means. */
    public enum ServerQuestion {
        /** It is asked, and a configuration whose server does not answer is refused. */
        ALWAYS,
        /** It is asked, but that it does not answer now is no reason to refuse. */
        IF_REACHABLE,
        /** It is not asked. */
        NEVER;

        String settingName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public ValidationSettings {
        requireNonNull(server, "server");
    }

    public static ConfigDef define(ConfigDef def) {
        return def.define(
                VALIDATE_SERVER,
                Type.STRING,
                ServerQuestion.ALWAYS.settingName(),
                ValidString.in(Arrays.stream(ServerQuestion.values())
                        .map(ServerQuestion::settingName)
                        .toArray(String[]::new)),
                Importance.LOW,
                "Whether a new or changed configuration is tried out on the server before Connect accepts it, for ten seconds"
                        + " at most: `always`, `never`, or `if_reachable`, which accepts a configuration whose server does"
                        + " not answer or has no room. With `always` a connector can be neither created nor changed during"
                        + " an outage of its server; connectors that are there carry on either way.",
                "Validation",
                1,
                ConfigDef.Width.SHORT,
                "Ask the server");
    }

    public static ValidationSettings from(AbstractConfig config) {
        return new ValidationSettings(
                ServerQuestion.valueOf(config.getString(VALIDATE_SERVER).toUpperCase(Locale.ROOT)));
    }
}
