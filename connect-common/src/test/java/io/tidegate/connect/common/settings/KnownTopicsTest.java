package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class KnownTopicsTest {
    @Test
    void knowsTheTopicsThatAreListed() {
        assertThat(KnownTopics.of(Map.of("topics", " tides, waves ,tides,"))).containsExactly("tides", "waves");
    }

    @Test
    void knowsNoneOfAPattern() {
        assertThat(KnownTopics.of(Map.of("topics.regex", "tides.*"))).isEmpty();
        Map<String, String> none = new HashMap<>();
        none.put("topics", null);
        assertThat(KnownTopics.of(none)).isEmpty();
    }

    @Test
    void knowsNoneOfDeadLetters() {
        assertThat(KnownTopics.of(Map.of("topics", "tides-dlq", "redrive", " True ")))
                .isEmpty();
        assertThat(KnownTopics.of(Map.of("topics", "tides-dlq", "redrive", "false")))
                .containsExactly("tides-dlq");
    }

    @Test
    void trustsTransformsThatKeepTopics() {
        assertThat(KnownTopics.of(Map.of(
                        "topics", "tides",
                        "transforms", "a, b",
                        "transforms.a.type", "org.apache.kafka.connect.transforms.InsertField$Value",
                        "transforms.b.type", " HoistField$Value ")))
                .containsExactly("tides");
    }

    @Test
    void trustsDebeziumsTransformsThatKeepTopics() {
        Map<String, String> props = new HashMap<>(Map.of(
                "topics", "tides",
                "transforms", "unwrap,header",
                "transforms.unwrap.type", "io.debezium.transforms.ExtractNewRecordState",
                "transforms.header.type", "io.debezium.transforms.HeaderToValue"));
        assertThat(KnownTopics.of(props)).containsExactly("tides");
        props.put("transforms.unwrap.route.by.field", "");
        assertThat(KnownTopics.of(props)).containsExactly("tides");
        props.put("transforms.unwrap.route.by.field", "site");
        assertThat(KnownTopics.of(props)).isEmpty();
    }

    @Test
    void knowsNoneWhereATransformMayRename() {
        for (String type : new String[] {
            "org.apache.kafka.connect.transforms.RegexRouter",
            "io.debezium.transforms.ByLogicalTableRouter",
            "x.Cast",
            "x.HeaderToValue"
        }) {
            assertThat(KnownTopics.of(Map.of("topics", "tides", "transforms", "r", "transforms.r.type", type)))
                    .as(type)
                    .isEmpty();
        }
        assertThat(KnownTopics.of(Map.of("topics", "tides", "transforms", "missing")))
                .isEmpty();
    }
}
