package io.tidegate.connect.common.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.testing.Slices;
import org.junit.jupiter.api.Test;

final class ByteSliceTest {
    private static final byte[] JSON = "{\"level\":7}".getBytes(UTF_8);

    @Test
    void copiesOnlyAPartOfAnArray() {
        assertThat(ByteSlice.of(JSON).bytes()).isSameAs(JSON);
        assertThat(Slices.inside(JSON).bytes()).isEqualTo(JSON);
        assertThat(Slices.inside(JSON).length()).isEqualTo(JSON.length);
        assertThat(ByteSlice.of(JSON, 3, 3).isEmpty()).isTrue();
    }

    @Test
    void refusesAPartThatTheArrayDoesNotHave() {
        assertThatThrownBy(() -> ByteSlice.of(JSON, 1, JSON.length + 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> ByteSlice.of(JSON, 2, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void showsNoContent() {
        assertThat(Slices.inside(JSON)).hasToString("11 bytes");
    }
}
