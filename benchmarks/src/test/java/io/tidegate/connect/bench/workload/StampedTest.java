package io.tidegate.connect.bench.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class StampedTest {
    @Test
    void putsTimeAndPhaseInFront() {
        Stamped values = new Stamped(List.of("{\"a\":1}".getBytes(UTF_8), "{\"b\":2}".getBytes(UTF_8)));

        assertThat(values.value(0, 123, 4)).asString(UTF_8).isEqualTo("{\"t\":123,\"p\":4,\"a\":1}");
        assertThat(values.value(3, 124, 5)).asString(UTF_8).isEqualTo("{\"t\":124,\"p\":5,\"b\":2}");
    }

    @Test
    void refusesWhatCannotBeStamped() {
        for (List<byte[]> none :
                List.of(List.<byte[]>of(), List.of("[1]".getBytes(UTF_8)), List.of("{}".getBytes(UTF_8)))) {
            assertThatThrownBy(() -> new Stamped(none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("there must be at least one value, and every value must be a JSON object with fields");
        }
    }
}
