package io.tidegate.connect.common.frame;

/**
 * The registries whose serializers are known, and the converters of what is not JSON. Sources: Confluent's {@code
 * SchemaId}, Apicurio's {@code KafkaSerdeHeaders}, AWS Glue's {@code AWSSchemaRegistryConstants}.
 */
enum Registry {
    APICURIO(
            "Apicurio's",
            "io.apicurio.registry.utils.converter.AvroConverter for Avro,"
                    + " io.apicurio.registry.utils.converter.ProtobufConverter (3.x) for Protobuf"),
    CONFLUENT(
            "Confluent's",
            "io.confluent.connect.avro.AvroConverter for Avro, io.confluent.connect.protobuf.ProtobufConverter for"
                    + " Protobuf"),
    GLUE(
            "Glue's",
            "com.amazonaws.services.schemaregistry.kafkaconnect.AWSKafkaAvroConverter for Avro,"
                    + " com.amazonaws.services.schemaregistry.kafkaconnect.protobuf.ProtobufSchemaConverter for"
                    + " Protobuf"),
    /** Both write a frame of this form. */
    CONFLUENT_OR_APICURIO("Confluent's or Apicurio's", CONFLUENT.converters);

    private final String owner;
    private final String converters;

    Registry(String owner, String converters) {
        this.owner = owner;
        this.converters = converters;
    }

    /** Whose frame it is, in the genitive. */
    String owner() {
        return owner;
    }

    /** The converters of what is not JSON. */
    String converters() {
        return converters;
    }
}
