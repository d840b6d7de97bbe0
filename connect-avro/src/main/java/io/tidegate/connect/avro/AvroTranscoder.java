package io.tidegate.connect.avro;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.value.ByteSlice;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Type;

/** Turns payloads of one schema into JSON. One thread uses it; its buffers may be shared with other schemas. */
final class AvroTranscoder {
    private final Plan plan;
    private final boolean isDocument;
    private final int nullBranch; // -1 unless the schema is a union of a type and null
    private final AvroInput in;
    private final JsonOutput out;

    /**
     * Compiles the schema.
     *
     * @throws UnfitException when its values have no JSON form
     */
    AvroTranscoder(Schema schema, AvroInput in, JsonOutput out) {
        boolean isNullable = schema.getType() == Type.UNION && PlanCompiler.isNullable(schema.getTypes());
        this.nullBranch = isNullable ? schema.getIndexNamed("null") : -1;
        Schema type = isNullable ? schema.getTypes().get(1 - nullBranch) : schema;
        this.isDocument = type.getType() == Type.STRING
                || (type.getType() == Type.BYTES && LogicalKind.of(type) != LogicalKind.DECIMAL);
        this.plan = PlanCompiler.compile(schema);
        this.in = requireNonNull(in, "in");
        this.out = requireNonNull(out, "out");
    }

    /**
     * The JSON of a payload, or empty when its value is null. A text or bytes that are the whole value are JSON already,
     * as those of any converter.
     *
     * @throws UnfitException when the payload is no value of the schema, or has no JSON form
     */
    Optional<ByteSlice> transcode(ByteSlice payload) {
        in.reset(payload);
        if (isDocument) {
            if (nullBranch >= 0 && in.readIndex(2, "a union's branch") == nullBranch) {
                checkEnd();
                return Optional.empty();
            }
            int length = in.readLength();
            int from = in.skip(length);
            checkEnd();
            return Optional.of(ByteSlice.of(payload.array(), from, from + length));
        }
        out.reset();
        plan.write(in, out);
        checkEnd();
        return out.isNull() ? Optional.empty() : Optional.of(out.document());
    }

    private void checkEnd() {
        if (in.remaining() > 0) {
            throw new UnfitException(in.remaining() + " bytes are left behind the value");
        }
    }
}
