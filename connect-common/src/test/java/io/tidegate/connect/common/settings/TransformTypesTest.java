package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TransformTypesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"org.apache.kafka.connect.transforms.TimestampRouter", "TimestampRouter", " TimestampRouter "})
    void findsAClassByEachNameThatConnectAccepts(String type) {
        Map<String, String> props = Map.of("transforms", "other, year", "transforms.year.type", type);
        assertThat(TransformTypes.timestampRouter(props)).contains("year");
    }

    @Test
    void findsNoOtherClass() {
        Map<String, String> props =
                new HashMap<>(Map.of("transforms", "a", "transforms.a.type", "x.MyTimestampRouter"));
        assertThat(TransformTypes.timestampRouter(props)).isEmpty();
        props.put("transforms", null);
        assertThat(TransformTypes.first(props, "MyTimestampRouter")).isEmpty();
    }
}
