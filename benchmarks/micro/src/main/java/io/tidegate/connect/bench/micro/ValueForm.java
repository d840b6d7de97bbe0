package io.tidegate.connect.bench.micro;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.kafka.connect.data.SchemaAndValue;

/** What a converter may make of a record's value. */
public enum ValueForm {
    /** {@code ByteArrayConverter}. */
    BYTES {
        @Override
        SchemaAndValue of(Reading reading) {
            return new SchemaAndValue(null, reading.json().getBytes(UTF_8));
        }
    },
    /** {@code StringConverter}. */
    STRING {
        @Override
        SchemaAndValue of(Reading reading) {
            return new SchemaAndValue(null, reading.json());
        }
    },
    /** {@code JsonConverter} without schemas. */
    MAP {
        @Override
        SchemaAndValue of(Reading reading) {
            return new SchemaAndValue(null, reading.map());
        }
    },
    /** {@code JsonConverter} with schemas, Avro, Protobuf. */
    STRUCT {
        @Override
        SchemaAndValue of(Reading reading) {
            return new SchemaAndValue(Reading.SCHEMA, reading.struct());
        }
    };

    abstract SchemaAndValue of(Reading reading);
}
