package io.tidegate.connect.common.frame;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.format.RegistrySettings;
import io.tidegate.connect.common.format.RegistrySettings.UsedId;
import io.tidegate.connect.common.format.SchemaId;
import io.tidegate.connect.common.format.SchemaId.Kind;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.format.ValueFormat;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnframingWithSchemasTest {
    private static final Schema TYPES =
            SchemaBuilder.struct().field("payload", Schema.INT8_SCHEMA).build();

    private Set<SchemaId> prepared = Set.of();

    /** Writes the schema's id and the payload, nothing for an empty payload. */
    private final ValueDecoder decoder = new ValueDecoder() {
        @Override
        public void prepare(Set<SchemaId> ids) {
            prepared = ids;
        }

        @Override
        public Optional<ByteSlice> decode(SchemaId id, ByteSlice payload) {
            String json = "{\"" + id.kind() + "\":" + id.id() + ",\"payload\":" + payload.bytes()[0] + "}";
            return payload.bytes()[0] == 0 ? Optional.empty() : Optional.of(ByteSlice.of(json.getBytes(UTF_8)));
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.of(TYPES);
        }

        @Override
        public void close() {
            // It holds nothing.
        }
    };

    private Unframing unframing() {
        return new Unframing(new FramingSettings(Framing.AUTO, Framing.NONE), Optional.of(decoder));
    }

    private static SinkRecord record(Object value) {
        return new SinkRecord("tides", 0, null, "k", null, value, 5);
    }

    private static SinkRecord withHeader(String name, Object id, Object value) {
        ConnectHeaders headers = new ConnectHeaders();
        headers.add(name, id, id instanceof byte[] ? Schema.BYTES_SCHEMA : Schema.STRING_SCHEMA);
        return new SinkRecord("tides", 0, null, "k", null, value, 5, null, null, headers);
    }

    private static byte[] bytes(int... values) {
        byte[] all = new byte[values.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) values[i];
        }
        return all;
    }

    private String json(SinkRecord record) {
        Unframing unframing = unframing();
        unframing.prepare(List.of(record));
        return new String(((ByteSlice) unframing.apply(record).value()).bytes(), UTF_8);
    }

    private void assertRefused(SinkRecord record, String reason) {
        Unframing unframing = unframing();
        unframing.prepare(List.of(record)); // must not throw
        assertThatThrownBy(() -> unframing.apply(record))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void readsAnIdOfFourBytes() {
        assertThat(json(record(bytes(0, 0x7f, 0, 0, 1, 7)))).isEqualTo("{\"SHORT\":2130706433,\"payload\":7}");
        assertThat(prepared).containsExactly(new SchemaId(Kind.SHORT, 0x7f000001));
    }

    @Test
    void readsAnIdOfEightBytes() {
        assertThat(json(record(bytes(0, 0, 0, 0, 0, 0, 0, 1, 0, 7)))).isEqualTo("{\"GLOBAL\":256,\"payload\":7}");
    }

    @ParameterizedTest
    @CsvSource({"globalId, GLOBAL", "contentId, CONTENT"})
    void readsTheIdInApicuriosHeader(String name, Kind kind) {
        SinkRecord record = withHeader("apicurio.value." + name, bytes(0, 0, 0, 0, 0, 0, 1, 0), bytes(0, 7));

        assertThat(json(withHeader("apicurio.value." + name, bytes(0, 0, 0, 0, 0, 0, 1, 0), bytes(9))))
                .isEqualTo("{\"" + kind + "\":256,\"payload\":9}");
        assertThat(unframing().apply(record).value())
                .as("the payload begins at once")
                .isNull();
    }

    @Test
    void readsADecodedNullLikeATombstone() {
        assertThat(unframing().apply(record(bytes(0, 0, 0, 0, 1, 0))).value()).isNull();
        assertThat(unframing().apply(record(null)).value()).isNull();
    }

    @Test
    void refusesWhatHasNoFrame() {
        assertRefused(record("{}"), "set value.converter=org.apache.kafka.connect.converters.ByteArrayConverter");
        assertRefused(record(bytes()), "the value is empty");
        assertRefused(record(bytes('{', '}')), "begins with byte 123 and not with the frame");
        assertRefused(record(bytes(1, 2, 3)), "a GUID needs the registry's converter");
        assertRefused(record(bytes(0, 1, 2)), "it has 3 bytes, and the frame has 5");
        assertRefused(record(bytes(0, 0, 0, 0, 0, 0)), "it has 6 bytes, and the frame has 9");
        assertRefused(
                withHeader("__value_schema_id", bytes(1), bytes(2)), "a GUID, which needs the registry's converter");
        assertRefused(
                withHeader("apicurio.value.globalId", "\0\0\0\0\0\0\0\7", bytes(2)),
                "set header.converter=org.apache.kafka.connect.converters.ByteArrayConverter");
    }

    /** Registries answer with a plain 404 for these, which is an outage: the task would wait for ever. */
    @Test
    void refusesAnIdThatNoRegistryHas() {
        assertRefused(
                record(bytes(0, 0xff, 0xff, 0xff, 0xff, 7)),
                "the value names schema 4294967295, and no registry has such an id");
        assertRefused(record(bytes(0, 0, 0, 0, 0, 0x80, 0, 0, 0, 7)), "schema 2147483648");
        assertRefused(
                withHeader("apicurio.value.contentId", bytes(0xff, 0, 0, 0, 0, 0, 0, 1), bytes(7)),
                "no registry has such an id");
        assertThat(prepared).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"AUTO, false", "NONE, true"})
    void needsFramesThatHoldAnId(Framing framing, boolean isProblem) {
        Password none = new Password("");
        RegistrySettings registry = new RegistrySettings(
                List.of(), UsedId.CONTENT, "", none, none, TlsSettings.ofFiles("schema.registry.", "", none, "", none));
        FramingSettings settings = new FramingSettings(framing, Framing.NONE);

        assertThat(settings.problem(new FormatSettings(ValueFormat.AVRO, registry))
                        .map(Problem::key))
                .isEqualTo(isProblem ? Optional.of("value.framing") : Optional.empty());
        assertThat(settings.problem(new FormatSettings(ValueFormat.CONNECT, registry)))
                .isEmpty();
    }
}
