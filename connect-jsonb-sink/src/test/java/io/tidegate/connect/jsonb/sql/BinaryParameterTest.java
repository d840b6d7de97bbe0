package io.tidegate.connect.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.value.ByteSlice;
import org.junit.jupiter.api.Test;

final class BinaryParameterTest {
    @Test
    void hasNoTextThatCouldBeSentInsteadOfItsBytes() {
        JsonbParameter parameter = new JsonbParameter(ByteSlice.of(new byte[] {'1'}));

        assertThatThrownBy(parameter::getValue)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the driver does not send jsonb in binary");
    }
}
