package io.tidegate.connect.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import io.tidegate.connect.jsonb.settings.FieldSettings;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.jsonb.settings.InsertMode;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.KeyField;
import io.tidegate.connect.jsonb.settings.KeyMode;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.StaleGuard;
import io.tidegate.connect.jsonb.settings.ValueSettings;
import io.tidegate.connect.jsonb.write.Documents;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CopyInsertTest {
    private static final int SIGNATURE_BYTES = 19;

    @ParameterizedTest
    @ValueSource(ints = {1, 60, 249})
    void noRowIsCutWhereverTheBufferEnds(int topicLength) throws SQLException {
        Progress progress = new Progress(new TopicPartition("t".repeat(topicLength), 7), 1);
        Random random = new Random(topicLength);
        List<Document> rows = new ArrayList<>();
        for (int offset = 0; offset < 20_000; offset++) {
            int length =
                    offset % 1_000 == 999 ? CopyInsert.BUFFER_BYTES - 50 + random.nextInt(100) : random.nextInt(500);
            rows.add(Documents.append(progress, offset, "t", "x".repeat(length)));
        }
        ByteArrayOutputStream stream = new ByteArrayOutputStream();

        new CopyInsert(kafkaRows(), new Dialect("a server"))
                .send(stream::write, TableShapes.of("t", Map.of("doc", "jsonb")), rows);

        ByteBuffer sent = ByteBuffer.wrap(stream.toByteArray());
        sent.position(SIGNATURE_BYTES);
        for (Document row : rows) {
            assertThat(sent.getShort()).isEqualTo((short) 4);
            assertThat(text(sent, sent.getInt()))
                    .isEqualTo("\u0001" + text(row.json().bytes()));
            assertThat(text(sent, sent.getInt())).isEqualTo(progress.partition().topic());
            assertThat(sent.getInt()).isEqualTo(Integer.BYTES);
            assertThat(sent.getInt()).isEqualTo(7);
            assertThat(sent.getInt()).isEqualTo(Long.BYTES);
            assertThat(sent.getLong()).isEqualTo(row.offset());
        }
        assertThat(sent.getShort()).isEqualTo((short) -1);
        assertThat(sent.hasRemaining()).isFalse();
    }

    private static RowSql kafkaRows() {
        List<KeyField> key =
                RowSettings.KAFKA_COLUMNS.stream().map(KeyField::parse).toList();
        ValueSettings values = new ValueSettings(NullValues.IGNORE, UnstorableCharacters.FAIL);
        return new RowSql(
                new RowSettings("doc", KeyMode.KAFKA, key, List.of(), List.of(), FieldSettings.NONE, values),
                new InsertSettings(InsertMode.INSERT, InsertMethod.COPY, false, StaleGuard.NONE, false, false));
    }

    private static String text(ByteBuffer sent, int length) {
        byte[] bytes = new byte[length];
        sent.get(bytes);
        return text(bytes);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
