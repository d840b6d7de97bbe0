package io.tidegate.connect.common.frame;

import java.util.List;

/**
 * The registries whose serializers are known: the headers in which they may write the schema's id instead of a frame, and
 * the converters of what is not JSON. Sources: Confluent's {@code SchemaId}, Apicurio's {@code KafkaSerdeHeaders}, AWS
 * Glue's {@code AWSSchemaRegistryConstants}.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists are immutable
enum Registry {
    CONFLUENT(
            "Confluent's",
            List.of("__%s_schema_id"),
            "io.confluent.connect.avro.AvroConverter for Avro, io.confluent.connect.protobuf.ProtobufConverter for"
                    + " Protobuf"),
    APICURIO(
            "Apicurio's",
            List.of("apicurio.%s.globalId", "apicurio.%s.contentId", "apicurio.%s.artifactId"),
            "io.apicurio.registry.utils.converter.AvroConverter for Avro,"
                    + " io.apicurio.registry.utils.converter.ProtobufConverter (3.x) for Protobuf"),
    GLUE(
            "Glue's",
            List.of(),
            "com.amazonaws.services.schemaregistry.kafkaconnect.AWSKafkaAvroConverter for Avro,"
                    + " com.amazonaws.services.schemaregistry.kafkaconnect.protobuf.ProtobufSchemaConverter for"
                    + " Protobuf"),
    /** Both write a frame of this form. */
    CONFLUENT_OR_APICURIO("Confluent's or Apicurio's", List.of(), CONFLUENT.converters);

    private final String owner;
    private final List<String> headers;
    private final String converters;

    Registry(String owner, List<String> headers, String converters) {
        this.owner = owner;
        this.headers = headers;
        this.converters = converters;
    }

    /** Whose frame it is, in the genitive. */
    String owner() {
        return owner;
    }

    /** The names of the headers that may have the schema's id. */
    List<String> headers(String side) {
        return headers.stream().map(name -> name.formatted(side)).toList();
    }

    /** The converters of what is not JSON. */
    String converters() {
        return converters;
    }
}
