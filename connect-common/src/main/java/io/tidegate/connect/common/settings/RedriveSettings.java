package io.tidegate.connect.common.settings;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Whether a connector writes dead letters again.
 *
 * @param isOn whether the topics are dead letter topics
 * @param attempts how often a record is redriven
 */
public record RedriveSettings(boolean isOn, int attempts) {
    public static final String REDRIVE = "redrive";
    public static final String REDRIVE_ATTEMPTS = "redrive.attempts";

    public static final String LETTER_TOPIC = "errors.deadletterqueue.topic.name";
    private static final String LETTER_HEADERS = "errors.deadletterqueue.context.headers.enable";

    public static ConfigDef define(ConfigDef def) {
        return new SettingGroup(def, "Dead letters")
                .flag(REDRIVE, "Redrive", false)
                .medium("Whether the topics are dead letter topics, whose records are written again under their"
                        + " original topic, partition and offset. They need the headers of"
                        + " `errors.deadletterqueue.context.headers.enable=true`. Without a guard or an external"
                        + " version, a record with a key is written only if no row or document has that key.")
                .integer(REDRIVE_ATTEMPTS, "Redrive attempts", 3)
                .between(1, 1_000)
                .low("How often a record is redriven. A record that is refused again goes to this connector's own"
                        + " dead letter topic, which may be redriven in turn. After so many attempts it is skipped,"
                        + " counted and logged.")
                .configDef();
    }

    public static RedriveSettings from(AbstractConfig config) {
        return new RedriveSettings(config.getBoolean(REDRIVE), config.getInt(REDRIVE_ATTEMPTS));
    }

    /** Whether these settings, parsed or not, ask for a redrive. */
    static boolean isOn(Map<String, String> props) {
        return String.valueOf(props.get(REDRIVE)).strip().equalsIgnoreCase("true");
    }

    /**
     * Why records might circle; empty if they cannot. Connect itself refuses a dead letter topic that is one of the
     * topics.
     *
     * @param props with the framework's own settings
     */
    public Optional<Problem> problem(Map<String, String> props) {
        String topic = props.getOrDefault(LETTER_TOPIC, "");
        boolean isCounted = String.valueOf(props.get(LETTER_HEADERS)).strip().equalsIgnoreCase("true");
        return Problem.when(
                isOn && topic != null && !topic.isBlank() && !isCounted,
                REDRIVE,
                "records that are refused again are counted by the headers of their dead letters: set " + LETTER_HEADERS
                        + "=true");
    }
}
