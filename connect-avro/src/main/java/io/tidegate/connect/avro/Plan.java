package io.tidegate.connect.avro;

/** How the values of one schema become JSON. Immutable. */
@FunctionalInterface
interface Plan {
    /**
     * Reads one value and writes it.
     *
     * @throws UnfitException when the bytes are no value of the schema, or the value has no JSON form
     */
    void write(AvroInput in, JsonOutput out);
}
