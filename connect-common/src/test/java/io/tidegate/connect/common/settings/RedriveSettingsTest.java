package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

final class RedriveSettingsTest {
    private static final String LETTER_TOPIC = "errors.deadletterqueue.topic.name";
    private static final String LETTER_HEADERS = "errors.deadletterqueue.context.headers.enable";

    private static RedriveSettings settings(Map<String, String> props) {
        return RedriveSettings.from(new AbstractConfig(RedriveSettings.define(new ConfigDef()), props, false));
    }

    @Test
    void hasDefaults() {
        assertThat(settings(Map.of())).isEqualTo(new RedriveSettings(false, 3));
    }

    @Test
    void mapsEveryKey() {
        assertThat(settings(Map.of("redrive", "true", "redrive.attempts", "7")))
                .isEqualTo(new RedriveSettings(true, 7));
    }

    @Test
    void refusesADeadLetterTopicThatDoesNotCount() {
        RedriveSettings redrive = new RedriveSettings(true, 3);

        assertThat(redrive.problem(Map.of(LETTER_TOPIC, "parking")))
                .get()
                .extracting(Problem::message)
                .asString()
                .endsWith("set errors.deadletterqueue.context.headers.enable=true");
        assertThat(redrive.problem(Map.of(LETTER_TOPIC, "parking", LETTER_HEADERS, "true")))
                .isEmpty();
        assertThat(redrive.problem(Map.of())).isEmpty();
        assertThat(new RedriveSettings(false, 3).problem(Map.of(LETTER_TOPIC, "dlq")))
                .isEmpty();
    }
}
