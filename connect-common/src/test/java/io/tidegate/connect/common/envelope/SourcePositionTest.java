package io.tidegate.connect.common.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.value.ByteSlice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SourcePositionTest {
    private final SourcePosition positions = new SourcePosition();

    private long of(String json) {
        return positions.of(ByteSlice.of(json.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"connector":"postgresql","ts_ms":5,"lsn":24023200} | 24023200
        {"lsn":1,"connector":"postgresql"} | 1
        {"connector":"mysql","file":"mysql-bin.000003","pos":154,"ts_ms":5} | 3298534883482
        {"connector":"mariadb","file":"binlog.000000","pos":4} | 4
        {"connector":"sqlserver","commit_lsn":"00000027:00000758:0003","ts_ms":5} | 5
        {"connector":"mongodb","ts_ms":7,"ord":1} | 7
        """)
    void eachConnectorHasItsOwn(String source, long position) {
        assertThat(of(source)).isEqualTo(position);
    }

    @Test
    void aLaterFileOfTheBinaryLogIsLater() {
        assertThat(of("{\"connector\":\"mysql\",\"file\":\"bin.000002\",\"pos\":1099511627775}"))
                .isLessThan(of("{\"connector\":\"mysql\",\"file\":\"bin.000003\",\"pos\":4}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"connector\":\"postgresql\",\"ts_ms\":5}",
                "{\"connector\":\"postgresql\",\"lsn\":null,\"ts_ms\":5}",
                "{\"connector\":\"postgresql\",\"lsn\":\"5\"}",
                "{\"connector\":\"postgresql\",\"lsn\":-5}",
                "{\"connector\":\"postgresql\",\"lsn\":9999999999999999999}",
                "{\"connector\":\"mysql\",\"file\":\"mysql-bin\",\"pos\":4}",
                "{\"connector\":\"mysql\",\"file\":\"bin.99999999999\",\"pos\":4}",
                "{\"connector\":\"mysql\",\"file\":\"bin.000001\",\"pos\":1099511627776}",
                "{\"connector\":\"mysql\",\"pos\":4}",
            })
    void aSourceWithoutOneSaysSo(String source) {
        assertThat(of(source)).isEqualTo(Document.NO_POSITION);
    }
}
