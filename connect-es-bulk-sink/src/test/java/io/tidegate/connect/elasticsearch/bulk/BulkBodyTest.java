package io.tidegate.connect.elasticsearch.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.spi.RefusedException;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

final class BulkBodyTest {
    private static final DocumentSettings INDEX =
            new DocumentSettings(false, NullValues.DELETE, WriteMethod.INDEX, false);
    private static final DocumentSettings VERSIONED =
            new DocumentSettings(false, NullValues.DELETE, WriteMethod.INDEX, true);
    private static final DocumentSettings CREATE =
            new DocumentSettings(true, NullValues.FAIL, WriteMethod.CREATE, false);

    @Test
    void writesAnActionAndTheRecordsOwnBytesForEachDocument() throws IOException {
        BulkBody body = new BulkBody(INDEX, false);
        body.add(Documents.of("tides", "k1", 7, "{\"level\": 1.50}"));
        body.add(Documents.delete("tides", "k2", 8));
        body.add(Documents.of("surges", "k3", 9, "{\n}"));
        assertThat(text(body)).isEqualTo("""
                        {"index":{"_index":"tides","_id":"k1"}}
                        {"level": 1.50}
                        {"delete":{"_index":"tides","_id":"k2"}}
                        {"index":{"_index":"surges","_id":"k3"}}
                        { }
                        """);
        assertThat(body.data().contentType()).isEqualTo("application/vnd.elasticsearch+x-ndjson; compatible-with=8");
    }

    @Test
    void takesTheOffsetForTheVersionOfWritesAndDeletions() throws IOException {
        BulkBody body = new BulkBody(VERSIONED, false);
        body.add(Documents.of("tides", "k", 0, "{}"));
        body.add(Documents.delete("tides", "k", 1234567890123L));
        assertThat(text(body)).isEqualTo("""
                        {"index":{"_index":"tides","_id":"k","version_type":"external","version":0}}
                        {}
                        {"delete":{"_index":"tides","_id":"k","version_type":"external","version":1234567890123}}
                        """);
    }

    @Test
    void createsWhereOnlyTheFirstWriteCounts() throws IOException {
        BulkBody body = new BulkBody(CREATE, false);
        body.add(Documents.of("tides", "tides+0+3", 3, "{}"));
        assertThat(text(body)).isEqualTo("{\"create\":{\"_index\":\"tides\",\"_id\":\"tides+0+3\"}}\n{}\n");
    }

    @Test
    void escapesIdsSoThatTheyStayOneString() throws IOException {
        BulkBody body = new BulkBody(INDEX, false);
        body.add(Documents.of("tides", "a\"}}\n{\"delete\\\u0001\u00e9\u20ac", 0, "{}"));
        assertThat(text(body))
                .isEqualTo("{\"index\":{\"_index\":\"tides\",\"_id\":"
                        + "\"a\\\"}}\\u000a{\\\"delete\\\\\\u0001\u00e9\u20ac\"}}\n{}\n");
    }

    @Test
    void isAsBeforeAfterARefusedDocument() throws IOException {
        BulkBody body = new BulkBody(INDEX, false);
        body.add(Documents.of("tides", "1", 0, "{\"a\":1}"));
        assertThatThrownBy(() -> body.add(
                        Documents.of("tides", "2", 1, "{\"a\":1}\n{\"delete\":{\"_index\":\"tides\",\"_id\":\"1\"}}")))
                .isInstanceOf(RefusedException.class);
        body.add(Documents.of("tides", "3", 2, "{\"a\":3}"));
        assertThat(text(body)).isEqualTo("""
                        {"index":{"_index":"tides","_id":"1"}}
                        {"a":1}
                        {"index":{"_index":"tides","_id":"3"}}
                        {"a":3}
                        """);
    }

    @Test
    void leavesTheRecordsBytesAlone() {
        byte[] json = "{\n}".getBytes(UTF_8);
        new BulkBody(INDEX, false).add(Documents.of("tides", "1", 0, json));
        assertThat(json).isEqualTo("{\n}".getBytes(UTF_8));
    }

    @Test
    void startsOverInTheSameBuffer() throws IOException {
        BulkBody body = new BulkBody(INDEX, false);
        body.add(Documents.of("tides", "1", 0, "{\"a\":1}"));
        byte[] first = body.data().asByteBuffer().array();
        body.clear();
        body.add(Documents.of("tides", "2", 0, "{}"));
        assertThat(text(body)).isEqualTo("{\"index\":{\"_index\":\"tides\",\"_id\":\"2\"}}\n{}\n");
        assertThat(body.data().asByteBuffer().array()).isSameAs(first);
    }

    @Test
    void startsOverInAnotherBufferWhenAbandoned() throws IOException {
        BulkBody body = new BulkBody(INDEX, false);
        body.add(Documents.of("tides", "1", 0, "{}"));
        byte[] first = body.data().asByteBuffer().array();
        body.abandon();
        assertThat(body.data().asByteBuffer().array()).isNotSameAs(first);
        assertThat(body.data().size()).isZero();
    }

    @Test
    void growsWithItsDocuments() throws IOException {
        BulkBody body = new BulkBody(INDEX, false);
        String large = "{\"a\":\"" + "x".repeat(1 << 20) + "\"}";
        body.add(Documents.of("tides", "1", 0, large));
        assertThat(text(body)).endsWith(large + "\n");
    }

    @Test
    void compressesWhenAsked() throws IOException {
        BulkBody body = new BulkBody(INDEX, true);
        for (int round = 0; round < 2; round++) {
            body.clear();
            Documents.numbered("tides", 1000).forEach(body::add);
            assertThat(body.data().size()).isLessThan(10_000);
            try (InputStream plain = new GZIPInputStream(body.data().asInputStream())) {
                assertThat(new String(plain.readAllBytes(), UTF_8))
                        .hasLineCount(2000)
                        .endsWith("{\"level\":999}\n");
            }
            body.clear();
        }
    }

    private static String text(BulkBody body) throws IOException {
        try (InputStream content = body.data().asInputStream()) {
            return new String(content.readAllBytes(), UTF_8);
        }
    }
}
