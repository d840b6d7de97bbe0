package io.tidegate.connect.tools.tides;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.tools.ToolException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ValueFormTest {
    private static final TideSource SOURCE = (limit, receiver) -> {
        receiver.accept("k".getBytes(UTF_8), "{}".getBytes(UTF_8));
        return 1;
    };

    @Test
    void framesOnlyTheFramedForm() throws ToolException, InterruptedException {
        List<byte[]> values = new ArrayList<>();
        ValueForm.FRAMED.of(SOURCE).stream(1, (key, value) -> values.add(value));

        assertThat(values).containsExactly(new byte[] {0, 0, 0, 0, 7, '{', '}'});
        assertThat(ValueForm.BYTES.of(SOURCE)).isSameAs(SOURCE);
        assertThat(ValueForm.STRING.of(SOURCE)).isSameAs(SOURCE);
    }

    @Test
    void hasTheNamesOfTheCommandLine() {
        assertThat(ValueForm.NAMES).containsExactly("bytes", "framed", "string", "json");
        assertThat(ValueForm.JSON.settings()).containsEntry("value.converter.schemas.enable", "false");
    }
}
