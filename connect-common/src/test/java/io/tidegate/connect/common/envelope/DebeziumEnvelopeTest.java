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
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.Envelope;
import io.tidegate.connect.common.document.Envelope.Change;
import io.tidegate.connect.common.document.Envelope.Kind;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.RowPlace;
import io.tidegate.connect.common.envelope.EnvelopeSettings.Truncates;
import io.tidegate.connect.common.envelope.EnvelopeSettings.UnavailableValues;
import io.tidegate.connect.common.testing.Records;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

            String deletion = event("d", ROW, "null");

            assertThat(bytesHeld(event)).isGreaterThan(event.length() + "{\"id\":1,\"doc\":{}}".length());
            assertThat(bytesHeld(deletion)).isGreaterThan(deletion.length());
            assertThat(bytesHeld(event) - bytesHeld(deletion))
                    .as("the row of the deletion is a part of the event")
                    .isGreaterThanOrEqualTo(event.length() - deletion.length() + "{\"id\":1,\"doc\":{}}".length());
        }

        private int bytesHeld(String event) {
            return new DocumentMapper(Records.topicsAsDestinations(), record -> new byte[] {1}, NullValues.DELETE)
                    .within(Optional.of(envelope))
                    .map(json(event), Records.progress(0))
                    .orElseThrow()
                    .bytesHeld();
        }
    }

    /** Columns as Debezium 3.6 and Kafka's JSON converter write them. */
    @Nested
    final class ColumnsBySchema {
        private static final String COLUMNS = """
            {"type":"int32","optional":false,"field":"id"},\
            {"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,\
            "parameters":{"scale":"2","connect.decimal.precision":"10"},"field":"price"},\
            {"type":"struct","fields":[{"type":"int32","optional":false,"field":"scale"},\
            {"type":"bytes","optional":false,"field":"value"}],"optional":true,\
            "name":"io.debezium.data.VariableScaleDecimal","version":1,"doc":"Variable scaled decimal","field":"free"},\
            {"type":"array","items":{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal",\
            "version":1,"parameters":{"scale":"2"}},"optional":true,"field":"prices"},\
            {"type":"array","items":{"type":"struct","fields":[],"optional":true,\
            "name":"io.debezium.data.VariableScaleDecimal","version":1},"optional":true,"field":"frees"},\
            {"type":"int32","optional":true,"name":"org.apache.kafka.connect.data.Date","version":1,"field":"day"},\
            {"type":"int32","optional":true,"name":"org.apache.kafka.connect.data.Time","version":1,"field":"time"},\
            {"type":"int64","optional":true,"name":"org.apache.kafka.connect.data.Timestamp","version":1,"field":"at"},\
            {"type":"int32","optional":true,"name":"io.debezium.time.Date","version":1,"field":"days"},\
            {"type":"bytes","optional":true,"field":"hash"}""";

        private static final String ENCODED = """
            {"id":1,"price":"F3A=","free":{"scale":3,"value":"Ap1Ctk52cUJEyw=="},"prices":["AJY=","/x8=",null],\
            "frees":[{"scale":1,"value":"Dw=="},null],"day":16436,"time":360123,"at":1420070760123,"days":16436,\
            "hash":"AAH/"}""";

        private static final String DECODED = """
            {"id":1,"price":60.00,"free":12345678901234567890.123,"prices":[1.50,-2.25,null],"frees":[1.5,null],\
            "day":"2015-01-01","time":"00:06:00.123","at":"2015-01-01T00:06:00.123Z","days":16436,"hash":"AAH/"}""";

        private String withColumns(String payload) {
            String part = "{\"type\":\"struct\",\"fields\":[" + COLUMNS + "],\"optional\":true,\"field\":";
            return "{\"schema\":{\"type\":\"struct\",\"fields\":[" + part + "\"before\"}," + part
                    + "\"after\"}]},\"payload\":" + payload + "}";
        }

        @Test
        void areWrittenAsFromAStruct() {
            for (int time = 0; time < 2; time++) {
                assertThat(row(envelope.open(json(withColumns(event("u", "null", ENCODED))))))
                        .isEqualTo(DECODED);
            }
        }

        /** Keys are read from it. */
        @Test
        void areDecodedInADeletedRow() {
            assertThat(row(envelope.open(json(withColumns(event("d", ENCODED, "null"))))))
                    .isEqualTo(DECODED);
        }

        @Test
        void mayBeNullOrNumbersAlready() {
            String row = "{\"id\":1,\"price\":60.0,\"free\":null,\"prices\":null,\"day\":null,\"at\":null}";

            assertThat(row(envelope.open(json(withColumns(event("c", "null", row))))))
                    .isEqualTo(row);
        }

        @Test
        void stayAsTheyAreWithoutASchema() {
            assertThat(row(envelope.open(json(event("c", "null", ENCODED))))).isEqualTo(ENCODED);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"price\":\"?\"}",
                    "{\"price\":\"\"}",
                    "{\"price\":{}}",
                    "{\"free\":\"Dw==\"}",
                    "{\"free\":{\"scale\":1}}",
                    "{\"prices\":\"Dw==\"}",
                    "{\"prices\":[1,]}",
                    "{\"day\":\"2015-01-01\"}",
                    "{\"at\":1e99}"
                })
        void areRefusedIfTheyDoNotFitTheSchema(String row) {
            assertThatThrownBy(() -> envelope.open(json(withColumns(event("c", "null", row)))))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("the change event has a column that does not fit its schema");
        }

        @Test
        void aSchemaMayBeNestedDeep() {
            String items = "{\"items\":".repeat(1_000_000) + "1" + "}".repeat(1_000_000);
            String event =
                    withColumns(event("c", "null", ENCODED)).replaceFirst("\\{\"type\":\"int32\"", items + ",$0");

            assertThat(row(envelope.open(json(event)))).isEqualTo(DECODED);
        }
    }

    @Nested
    final class FromConnectValues {
        private final Schema row = SchemaBuilder.struct()
                .optional()
                .field("id", Schema.INT64_SCHEMA)
                .field("doc", SchemaBuilder.string().optional().name("io.debezium.data.Json"))
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
        }

        @Test
        void theSchemaOfAFormatSaysWhichTextIsJson() {
            byte[] json = Events.event("c", "null", "{\"doc\":\"[1]\"}").getBytes(UTF_8);

            Change change = envelope.open(new SinkRecord("t", 0, null, null, event, ByteSlice.of(json), 1));

            assertThat(row(change)).isEqualTo("{\"doc\":[1]}");
            assertThat(change.row()).contains(row);
        }

        @Test
        void aStructThatDeletesHasTheOldRow() {
            Change change = envelope.open(record("1", event("d", "before")));

            assertThat(change.kind()).isEqualTo(Kind.DELETE);
            assertThat(row(change)).startsWith("{\"id\":1,");
        }

        @Test
        void theOlderRowIsComparedIfItDecidesWhereTheRowIs() {
            RowPlace place =
                    new RowPlace("a.setting", updated -> new String(((ByteSlice) updated.value()).bytes(), UTF_8));
            Envelope comparing = Events.settings()
                    .open(EnvelopeSettings.KeyForm.TEXT, false, tombstone -> false, List.of(place))
                    .orElseThrow();
            Struct update = event("u", "after").put("before", new Struct(row).put("id", 2L));

            assertThatThrownBy(() -> comparing.open(record("1", update)))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("a field that a.setting reads");
            assertThat(comparing.open(record("1", event("u", "after"))).kind()).isEqualTo(Kind.WRITE);
            assertThat(envelope.open(record("1", update)).kind()).isEqualTo(Kind.WRITE);
        }

        @Test
        void aNumberWithoutAFixedScaleIsANumber() {
            Schema free = SchemaBuilder.struct()
                    .name("io.debezium.data.VariableScaleDecimal")
                    .field("scale", Schema.INT32_SCHEMA)
                    .field("value", Schema.BYTES_SCHEMA)
                    .build();
            Schema numbers = SchemaBuilder.struct()
                    .field("free", free)
                    .field("frees", SchemaBuilder.array(free).build())
                    .build();
            Struct number = new Struct(free).put("scale", 3).put("value", new byte[] {-1});
            Schema events = SchemaBuilder.struct()
                    .field("op", Schema.STRING_SCHEMA)
                    .field("after", numbers)
                    .build();
            Struct event = new Struct(events)
                    .put("op", "c")
                    .put("after", new Struct(numbers).put("free", number).put("frees", List.of(number)));
            Envelope without = Events.settings()
                    .open(EnvelopeSettings.KeyForm.TEXT, false, tombstone -> false, List.of())
                    .orElseThrow();

            assertThat(row(without.open(record("1", event)))).isEqualTo("{\"free\":-0.001,\"frees\":[-0.001]}");
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

            Map<String, Object> byId = new HashMap<>(Map.of("schemaId", 7L, "payload", event)); // the id comes last

            for (Map<String, Object> value : List.of(event, around, byId)) {
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
                    .open(EnvelopeSettings.KeyForm.TEXT, true, tombstone -> deletes, List.of())
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
                    EnvelopeSettings.Form.DEBEZIUM, Truncates.IGNORE, UnavailableValues.FAIL, "gone", List.of());

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
            __debezium-heartbeat.server | {"serverName":"server"} | {"ts_ms":1767225600000}
            alive.server | {"schema":{},"payload":{"serverName":"server"}} | {"schema":{},"payload":{"ts_ms":1}}
            server.transaction | {"id":"771:24023200"} | {"status":"BEGIN","id":"771:24023200","event_count":null,"data_collections":null,"ts_ms":1}
            """)
        void heartbeatsAndTransactionMarksAreSkipped(String topic, String key, String value) {
            assertThat(envelope.open(record(topic, key, value)).kind()).isEqualTo(Kind.SKIP);
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
            server.public.transaction | {"status":"paid","id":771} | it has no `op`; if a transform such as ExtractNewRecordState
            server.public.heartbeat | {"ts_ms":1767225600000} | it has no `op`; if a transform such as ExtractNewRecordState
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
    final class OtherConnectors {
        /** Cells, an `i` for an insertion, and an `r` for a range of deleted rows. */
        @ParameterizedTest
        @ValueSource(strings = {"i", "u", "d", "r"})
        void eventsOfCassandraAreRefused(String operation) {
            String event =
                    "{\"ts_ms\":1,\"op\":\"" + operation + "\",\"source\":{\"version\":\"3.6.0.Final\",\"connector\":"
                            + "\"cassandra\",\"name\":\"s\"},\"after\":{\"id\":{\"value\":1,\"deletion_ts\":null,\"set\":true}}}";

            for (int time = 0; time < 2; time++) {
                assertThatThrownBy(() -> envelope.open(json(event)))
                        .isInstanceOf(RefusedException.class)
                        .hasMessageContaining("of Debezium's connector for Cassandra, whose events have another form");
            }
        }

        @Test
        void aDatabaseMayHaveTheNameOfAConnector() {
            String event = event("c", "null", ROW).replace("\"shop\"", "\"cassandra\"");

            assertThat(row(envelope.open(json(event)))).isEqualTo(ROW);
        }
    }

    @Nested
    final class Positions {
        @Test
        void anEventWithoutOneIsRefusedOnlyIfItIsNeeded() {
            String event = "{\"after\":{\"id\":1},\"op\":\"c\"}";
            Envelope without = Events.settings()
                    .open(EnvelopeSettings.KeyForm.TEXT, false, tombstone -> false, List.of())
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
                .hasMessageMatching("the value is (no Debezium change event: |not valid JSON, at byte ).+");
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
