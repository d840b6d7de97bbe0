package io.tidegate.connect.check.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.check.oracle.AvroValues;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PayloadTest {
    private final Payload payload = new Payload(AvroValues.SCHEMA, () -> 3);

    private String text(String notation) {
        return new String(payload.bytes(notation), StandardCharsets.UTF_8);
    }

    @Test
    void readsEachNotation() {
        assertThat(payload.bytes("")).isNull();
        assertThat(text("text:a:b")).isEqualTo("a:b");
        assertThat(payload.bytes("hex:00ff")).containsExactly(0, 0xff);
        assertThat(text("big:3:{@}")).isEqualTo("{xxx}");
        assertThat(payload.bytes("framed:{}")).containsExactly(0, 0, 0, 0, 7, '{', '}');
        assertThat(payload.bytes("avro:{\"n\":1,\"id\":\"k\",\"version\":2}"))
                .containsExactly(0, 0, 0, 0, 3, 2, 2, 'k', 4, 0);
    }

    @Test
    void refusesAnUnknownNotation() {
        assertThatThrownBy(() -> payload.bytes("texts:a")).hasMessage("Unknown notation: texts:a");
    }
}
