package io.tidegate.connect.bench.form;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ValueFormsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROW =
            "{\"name\":\"é\",\"at\":{\"lat\":47.5},\"level\":2.125,\"sigma\":null,\"good\":true}";

    private final ValueForms forms = new ValueForms(Path.of("target", "unused"));

    @AfterEach
    void close() {
        forms.close();
    }

    private static TideSource source(String... rows) {
        return (limit, receiver) -> {
            for (int i = 0; i < Math.min(limit, rows.length); i++) {
                receiver.accept("k".getBytes(UTF_8), rows[i].getBytes(UTF_8));
            }
            return rows.length;
        };
    }

    private List<byte[]> values(ValueForm form, String... rows) throws ToolException, InterruptedException {
        List<byte[]> values = new ArrayList<>();
        forms.records(form, "topic", source(rows)).stream(rows.length, (key, value) -> values.add(value));
        return values;
    }

    @Test
    void framesOnlyTheFramedForm() throws ToolException, InterruptedException {
        TideSource source = source("{}");

        assertThat(values(ValueForm.FRAMED, "{}")).containsExactly(new byte[] {0, 0, 0, 0, 7, '{', '}'});
        assertThat(forms.records(ValueForm.BYTES, "topic", source)).isSameAs(source);
        assertThat(forms.records(ValueForm.STRING, "topic", source)).isSameAs(source);
    }

    @Test
    void hasTheNamesOfTheCommandLine() {
        assertThat(ValueForm.NAMES)
                .containsExactly(
                        "bytes",
                        "framed",
                        "string",
                        "json",
                        "avro",
                        "avro-converter",
                        "debezium",
                        "debezium-schema",
                        "debezium-unwrap",
                        "tombstone");
        assertThat(ValueForm.NAMES)
                .allSatisfy(name -> assertThat(ValueForm.of(name)).hasToString(name));
        assertThat(ValueForm.JSON.settings()).containsEntry("value.converter.schemas.enable", "false");
    }

    @Test
    void putsRowsIntoChangeEventsThatDifferOnlyInTheirSchema() throws Exception {
        JsonNode plain = JSON.readTree(values(ValueForm.DEBEZIUM, ROW, ROW).get(1));
        JsonNode withSchema =
                JSON.readTree(values(ValueForm.DEBEZIUM_SCHEMA, ROW, ROW).get(1));

        assertThat(plain.get("after")).isEqualTo(JSON.readTree(ROW));
        assertThat(plain.get("op").asText()).isEqualTo("u");
        assertThat(plain.at("/source/lsn").asLong()).isEqualTo(24_023_192);
        assertThat(withSchema.get("payload")).isEqualTo(plain);
        assertThat(names(withSchema.at("/schema/fields"))).isEqualTo(fieldsOf(plain));
        assertThat(names(withSchema.at("/schema/fields/1/fields"))).isEqualTo(fieldsOf(plain.get("after")));
        assertThat(names(withSchema.at("/schema/fields/2/fields"))).hasSameElementsAs(fieldsOf(plain.get("source")));
    }

    private static List<String> names(JsonNode fields) {
        List<String> names = new ArrayList<>();
        fields.forEach(field -> names.add(field.get("field").asText()));
        return names;
    }

    private static List<String> fieldsOf(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void writesAvroBehindTheIdOfItsSchema() throws IOException {
        AvroRecords records = AvroRecords.like(ROW.getBytes(UTF_8));
        byte[] framed = records.encode(5, "{\"name\":\"b\",\"sigma\":1.5}".getBytes(UTF_8));

        assertThat(framed[0]).isZero();
        assertThat(ByteBuffer.wrap(framed, 1, Long.BYTES).getLong()).isEqualTo(5);
        Schema schema = new Schema.Parser().parse(records.schema());
        Object read = new GenericDatumReader<>(schema)
                .read(null, DecoderFactory.get().binaryDecoder(framed, 9, framed.length - 9, null));
        assertThat(read)
                .hasToString("{\"name\": \"b\", \"at\": null, \"level\": null, \"sigma\": 1.5, \"good\": null}");
    }

    @Test
    void refusesAFieldThatTheFirstRecordDoesNotHave() {
        AvroRecords records = AvroRecords.like(ROW.getBytes(UTF_8));

        assertThatThrownBy(() -> records.encode(5, "{\"other\":1}".getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("it has the field other");
        assertThatThrownBy(() -> AvroRecords.like("{\"list\":[]}".getBytes(UTF_8)))
                .hasMessage("the field Reading_list has no simple form in Avro");
    }
}
