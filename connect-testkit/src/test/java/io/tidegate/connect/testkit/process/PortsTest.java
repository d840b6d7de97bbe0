package io.tidegate.connect.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PortsTest {
    @Test
    void noPortIsGivenTwice() {
        assertThat(IntStream.range(0, 2_000).map(i -> Ports.free()).boxed()).doesNotHaveDuplicates();
    }
}
