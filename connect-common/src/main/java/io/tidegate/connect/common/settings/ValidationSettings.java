package io.tidegate.connect.common.settings;

import static java.util.Objects.requireNonNull;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** How a connector's configuration is checked before Connect accepts it. */
public record ValidationSettings(ServerQuestion server) {
    public static final String VALIDATE_SERVER = "validate.server";

    /** Whether the server is asked, and what its silence means. */
    public enum ServerQuestion {
        /** It is asked, and a configuration whose server does not answer is refused. */
        ALWAYS,
        /** It is asked, but a configuration whose server does not answer is accepted. */
        IF_REACHABLE,
        /** It is not asked. */
        NEVER
    }

    public ValidationSettings {
        requireNonNull(server, "server");
    }

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Validation")
                .oneOf(VALIDATE_SERVER, "Ask the server", ServerQuestion.ALWAYS)
                .low("Whether Connect tries a new or changed configuration on the server, for eight seconds at"
                        + " most. `always`: an unreachable server is an error, so no connector can be created or changed while its"
                        + " server is down. `if_reachable`: no answer, or no free connection, is no error. `never`:"
                        + " the server is not contacted.")
                .configDef();
    }

    public static ValidationSettings from(AbstractConfig config) {
        return new ValidationSettings(EnumSetting.read(config, VALIDATE_SERVER, ServerQuestion.class));
    }
}
