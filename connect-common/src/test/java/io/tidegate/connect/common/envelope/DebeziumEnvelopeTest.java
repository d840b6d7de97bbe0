package io.tidegate.connect.common.envelope;

import static io.tidegate.connect.common.envelope.Events.event;
import static io.tidegate.connect.common.envelope.Events.json;
import static io.tidegate.connect.common.envelope.Events.record;
import static io.tidegate.connect.common.envelope.Events.row;
import static io.tidegate.connect.common.envelope.Events.withSchema;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.Envelope;
import io.tidegate.connect.common.document.Envelope.Change;
import io.tidegate.connect.common.document.Envelope.Kind;
import io.tidegate.connect.common.document.FieldDefaults;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DebeziumEnvelopeTest {
    private static final String ROW = "{\"id\":1,\"text\":\"a\\\"}b\"}";
    private static final long LSN = 24_023_200;

    private final Envelope envelope = Events.envelope();

    @Nested
    final class FromJson {
        @ParameterizedTest
        @ValueSource(strings = {"c", "r", "u"})
        void theRowAfterTheChangeIsTheDocument(String operation) {
            Change change = envelope.open(json(event(operation, "null", ROW)));

            assertThat(change.kind()).isEqualTo(Kind.WRITE);
            assertThat(row(change)).isEqualTo(ROW);
            assertThat(change.position()).isEqualTo(LSN);
        }

        @Test
        void theDocumentIsAPartOfTheFetchedBytes() {
            SinkRecord record = json(event("c", "null", ROW));

            Change change = envelope.open(record);

            assertThat(((ByteSlice) change.record().value()).array()).isSameAs(record.value());
            assertThat(change.bytesBeside()).isZero();
        }

        @Test
        void aSchemaAroundTheEventIsSkippedTheFirstTimeAndLater() {
            for (int time = 0; time < 3; time++) {
                assertThat(row(envelope.open(json(withSchema(event("c", "null", ROW))))))
                        .isEqualTo(ROW);
            }
            String changed = withSchema(event("c", "null", ROW)).replace("\"tags\"", "\"other\"");
            assertThat(row(envelope.open(json(changed)))).isEqualTo(ROW);
        }

        @Test
        void aSchemaMayFollowThePayloadOrBeNull() {
            String event = event("c", "null", ROW);

            assertThat(row(envelope.open(json("{\"payload\":" + event + ",\"schema\":" + Events.SCHEMA + "}"))))
                    .isEqualTo(ROW);
            assertThat(row(envelope.open(json("{\"schema\":null,\"payload\":" + event + "}"))))
                    .isEqualTo(ROW);
        }

        @Test
        void aSchemasIdMayPrecedeThePayloadAsApicuriosConverterWritesIt() {
            String event = event("c", "null", ROW);

            assertThat(row(envelope.open(json("{\"schemaId\":7,\"payload\":" + event + "}"))))
                    .isEqualTo(ROW);
        }

        @Test
        void whiteSpaceAndTheOrderOfFieldsDoNotMatter() {
            String event = " {\n\"op\" : \"u\" ,\t\"after\": " + ROW + "\r\n, \"source\": " + Events.SOURCE + " } ";

            assertThat(row(envelope.open(json(event)))).isEqualTo(ROW);
        }

        /** Only an operation that follows the source is known again. */
        @Test
        void anEventWithoutAnOperationIsRefusedAfterOneThatBeginsWithIt() {
            String sourceAndRow = "\"source\":" + Events.SOURCE + ",\"before\":{\"id\":1}}";
            assertThat(envelope.open(json("{\"op\":\"d\"," + sourceAndRow)).kind())
                    .isEqualTo(Kind.DELETE);

            assertThatThrownBy(() -> envelope.open(json("{" + sourceAndRow)))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("it has no `op`");
        }

        @Test
        void textBuffersAndSlicesAreReadToo() {
            String event = event("c", "null", ROW);
            byte[] framed = ("....." + event).getBytes(UTF_8);

            for (Object value :
                    List.of(event, ByteBuffer.wrap(event.getBytes(UTF_8)), ByteSlice.of(framed, 5, framed.length))) {
                assertThat(row(envelope.open(record("1", value)))).isEqualTo(ROW);
            }
        }

        @Test
        void aDocumentAsTextIsReadAsMongoDbSendsIt() {
            String event = event("c", "null", "\"{\\\"_id\\\":{\\\"$oid\\\":\\\"5f\\\"}}\"");

            assertThat(row(envelope.open(json(event)))).isEqualTo("{\"_id\":{\"$oid\":\"5f\"}}");
        }

        @Test
        void whatStaysOnTheHeapBesideACopyIsCounted() {
            String event = withSchema(event("c", "null", "{\"id\":1,\"doc\":\"{}\"}"));

            assertThat(envelope.open(json(event)).bytesBeside()).isEqualTo(event.length());
            assertThat(envelope.open(json(event("d", ROW, "null"))).bytesBeside())
                    .isEqualTo(event("d", ROW, "null").length());
        }
    }

    @Nested
    final class FromConnectValues {
        private final Schema row = SchemaBuilder.struct()
                .optional()
                .field("id", Schema.INT64_SCHEMA)
                .field("doc", SchemaBuilder.string().optional().name(ChangeEvent.JSON_NAME))
                .build();
        private final Schema source = SchemaBuilder.struct()
                .field("connector", Schema.STRING_SCHEMA)
                .field("lsn", Schema.OPTIONAL_INT64_SCHEMA)
                .build();
        private final Schema event = SchemaBuilder.struct()
                .field("before", row)
                .field("after", row)
                .field("source", source)
                .field("op", Schema.STRING_SCHEMA)
                .build();

        private Struct event(String operation, String part) {
            return new Struct(event)
                    .put("op", operation)
                    .put(
                            "source",
                            new Struct(source).put("connector", "postgresql").put("lsn", LSN))
                    .put(part, new Struct(row).put("id", 1L).put("doc", "{\"a\": [1]}"));
        }

        @Test
        void aStructIsReadAndItsJsonIsEmbedded() {
            Change change = envelope.open(record("1", event("u", "after")));

            assertThat(change.kind()).isEqualTo(Kind.WRITE);
            assertThat(row(change)).isEqualTo("{\"id\":1,\"doc\":{\"a\": [1]}}");
            assertThat(change.position()).isEqualTo(LSN);
            assertThat(change.bytesBeside()).isPositive();
        }

        @Test
        void aStructThatDeletesHasTheOldRow() {
            Change change = envelope.open(record("1", event("d", "before")));

            assertThat(change.kind()).isEqualTo(Kind.DELETE);
            assertThat(row(change)).startsWith("{\"id\":1,");
        }

        @Test
        void aMapIsReadWithAndWithoutAPayload() {
            Map<String, Object> event = new HashMap<>();
            event.put("before", null);
            event.put("after", Map.of("id", 1L));
            event.put("source", Map.of("connector", "postgresql", "lsn", LSN));
            event.put("op", "c");
            Map<String, Object> around = new HashMap<>();
            around.put("schema", null);
            around.put("payload", event);

            for (Map<String, Object> value : List.of(event, around)) {
                Change change = envelope.open(record("1", value));
                assertThat(row(change)).isEqualTo("{\"id\":1}");
                assertThat(change.position()).isEqualTo(LSN);
            }
        }

        @Test
        void otherValuesAreRefused() {
            Schema other =
                    SchemaBuilder.struct().field("op", Schema.INT64_SCHEMA).build();
            for (Object value : List.of(
                    1L,
                    List.of(),
                    Map.of("op", 1),
                    Map.of("id", 1),
                    Map.of("op", "c", "after", 1),
                    Map.of("payload", "text"),
                    new Struct(other).put("op", 1L),
                    new Struct(row).put("id", 1L))) {
                assertThatThrownBy(() -> envelope.open(record("1", value)))
                        .isInstanceOf(RefusedException.class)
                        .hasMessageStartingWith("the value is no Debezium change event: ");
            }
        }
    }

    @Nested
    final class Deletions {
        @Test
        void theOldRowIsTheValue() {
            Change change = envelope.open(json(event("d", ROW, "null")));

            assertThat(change.kind()).isEqualTo(Kind.DELETE);
            assertThat(row(change)).isEqualTo(ROW);
            assertThat(change.position()).isEqualTo(LSN);
        }

        @Test
        void theOldRowMayBeMissing() {
            Change change = envelope.open(json(event("d", "null", "null")));

            assertThat(change.kind()).isEqualTo(Kind.DELETE);
            assertThat(change.record().value()).isNull();
            assertThat(change.record().key()).isEqualTo("1");
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void aTombstoneDeletesAgainOrIsSkipped(boolean deletes) {
            Envelope configured = Events.settings()
                    .open(KeyForm.TEXT, true, deletes, FieldDefaults.IGNORED)
                    .orElseThrow();

            for (Object tombstone : new Object[] {null, "{\"schema\":null,\"payload\":null}"}) {
                Change change = configured.open(record("{\"id\":1}", tombstone));
                assertThat(change.kind()).isEqualTo(deletes ? Kind.DELETE : Kind.SKIP);
                assertThat(change.position()).isEqualTo(Document.NO_POSITION);
            }
        }
    }

    @Nested
    final class OtherEvents {
        @Test
        void messagesAreSkipped() {
            assertThat(envelope.open(json(event("m", "null", "null"))).kind()).isEqualTo(Kind.SKIP);
        }

        @Test
        void truncatesAreRefusedOrSkipped() {
            EnvelopeSettings skipping = new EnvelopeSettings(
                    EnvelopeSettings.Form.DEBEZIUM, Truncates.IGNORE, UnavailableValues.FAIL, List.of());

            assertThatThrownBy(() -> envelope.open(json(event("t", "null", "null"))))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("TRUNCATE")
                    .hasMessageContaining(EnvelopeSettings.TRUNCATES);
            assertThat(Events.envelope(skipping)
                            .open(json(event("t", "null", "null")))
                            .kind())
                    .isEqualTo(Kind.SKIP);
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
            __debezium-heartbeat.server | {"ts_ms":1767225600000}
            __debezium-heartbeat.server | {"schema":{},"payload":{"ts_ms":1767225600000}}
            server.transaction | {"status":"BEGIN","id":"771:24023200","event_count":null,"data_collections":null,"ts_ms":1}
            """)
        void heartbeatsAndTransactionMarksAreSkipped(String topic, String value) {
            assertThat(envelope.open(record(topic, null, value)).kind()).isEqualTo(Kind.SKIP);
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
            server | {"source":{},"databaseName":"shop","ddl":"CREATE TABLE a (id int)","tableChanges":[]} | has schema changes of the source; leave it out of the topics
            server.public.orders | {"ts_ms":1767225600000} | it has no `op`
            server.public.orders | {"status":"BEGIN","id":"771"} | it has no `op`
            server.public.orders | {"id":1,"text":"a"} | it has no `op`; if a transform such as ExtractNewRecordState
            __debezium-heartbeat.server | {"ts_ms":1,"id":1} | it has no `op`
            """)
        void everythingElseIsRefused(String topic, String value, String reason) {
            assertThatThrownBy(() -> envelope.open(record(topic, null, value)))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining(reason)
                    .hasMessageContaining(EnvelopeSettings.VALUE_ENVELOPE);
        }
    }

    @Nested
    final class Positions {
        @Test
        void anEventWithoutOneIsRefusedOnlyIfItIsNeeded() {
            String event = "{\"after\":{\"id\":1},\"op\":\"c\"}";
            Envelope without = Events.settings()
                    .open(KeyForm.TEXT, false, false, FieldDefaults.IGNORED)
                    .orElseThrow();

            assertThat(without.open(json(event)).position()).isEqualTo(Document.NO_POSITION);
            assertThatThrownBy(() -> envelope.open(json(event)))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("has no position");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        []
        "text"
        {}
        {"op":"c"}
        {"op":"c","after":null}
        {"op":"u","after":[1]}
        {"op":"u","after":"[1]"}
        {"op":"u","after":7}
        {"op":"c","after":{"id":1},"after":{"id":2}}
        {"op":"c","op":"d","after":{"id":1}}
        {"op":"c","before":{},"before":{},"after":{"id":1}}
        {"op":"c","after":{"id":1},"source":{},"source":{}}
        {"op":"c","after":{"id":1},"payload":{}}
        {"payload":{"op":"c","after":{"id":1}},"after":{"id":2}}
        {"payload":{"op":"c","after":{"id":1}},"payload":{"op":"d"}}
        {"payload":[]}
        {"op":"x","after":{"id":1}}
        {"op":"","after":{"id":1}}
        {"op":"cc","after":{"id":1}}
        {"op":1,"after":{"id":1}}
        {"op":null,"after":{"id":1}}
        {"\\u006fp":"d","op":"c","after":{"id":1}}
        {"op":"c","after":{"id":1}
        {"op":"c","after":{"id":1}}}
        {"op":"c","after":{"id":1}}{}
        {"op":"c","after":{"id":1]}
        {"op":"c","after":{"id":"1}}
        {"op":"c",,"after":{"id":1}}
        {"op":"c" "after":{"id":1}}
        {"op":"c","after":{"id":1},}
        {"op":"c","after":{"id":1},"x":nul}
        {"op":"c","after":{"id":1},"x":}
        {op:"c","after":{"id":1}}
        """)
    void hostileEventsAreRefusedWithAReason(String value) {
        assertThatThrownBy(() -> envelope.open(json(value)))
                .isInstanceOf(RefusedException.class)
                .hasMessageMatching("the value is (no Debezium change event: |not JSON that can be read, at byte ).+");
    }

    /** The server sets the bound. */
    @Test
    void anEventMayBeNestedDeep() {
        String row = "{\"a\":" + "[".repeat(1_000_000) + "]".repeat(1_000_000) + "}";

        assertThat(row(envelope.open(json(event("c", "null", row))))).isEqualTo(row);
    }

    @Test
    void theRefusalDoesNotQuoteTheValue() {
        assertThatThrownBy(() -> envelope.open(json("{\"op\":\"c\",\"after\":{\"secret\":\"tide\"}")))
                .satisfies(error -> assertThat(error.getMessage()).doesNotContain("secret", "tide"));
    }
}
