package io.tidegate.connect.avro;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.avro.Schema.Parser;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Schema.Type;
import org.junit.jupiter.api.Test;

final class FieldSchemasTest {
    private static Schema typeOf(String json) {
        String schema = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"f\",\"type\":" + json + "}]}";
        return FieldSchemas.of(new Parser().parse(schema))
                .orElseThrow()
                .field("f")
                .schema();
    }

    @Test
    void anArrayHasTheTypeOfItsElements() {
        Schema nested = typeOf("{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":[\"null\",\"bytes\"]}}");

        assertThat(nested.type()).isEqualTo(Type.ARRAY);
        assertThat(nested.valueSchema().type()).isEqualTo(Type.ARRAY);
        assertThat(nested.valueSchema().valueSchema().type()).isEqualTo(Type.BYTES);
    }

    /** The converters write such a map as an array of entries; its JSON is an object. */
    @Test
    void aMapWithOtherKeysThanStringsIsNoArray() {
        Schema map = typeOf("{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"Entry\","
                + "\"connect.internal.type\":\"MapEntry\",\"fields\":[{\"name\":\"key\",\"type\":\"int\"},"
                + "{\"name\":\"value\",\"type\":\"bytes\"}]}}");

        assertThat(map.type()).isEqualTo(Type.STRUCT);
    }

    @Test
    void anIntegerKeepsTheNameOfWhatItCounts() {
        assertThat(typeOf("[\"null\",{\"type\":\"int\",\"connect.name\":\"io.debezium.time.Date\"}]")
                        .name())
                .isEqualTo("io.debezium.time.Date");
        assertThat(typeOf(
                                "{\"type\":\"array\",\"items\":{\"type\":\"long\",\"connect.name\":\"io.debezium.time.MicroDuration\"}}")
                        .valueSchema()
                        .name())
                .isEqualTo("io.debezium.time.MicroDuration");
    }
}
