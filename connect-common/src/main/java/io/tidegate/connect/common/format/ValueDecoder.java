package io.tidegate.connect.common.format;

import io.tidegate.connect.common.spi.AccessRefusedException;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.RetriableException;

/** Turns values of a registry's schemas into JSON. The task thread uses it. */
public interface ValueDecoder extends AutoCloseable {
    /**
     * Fetches the schemas that the records of one {@code put} need. A schema that the registry has not had for a while
     * is no error yet.
     *
     * @throws AccessRefusedException when the registry refuses access
     * @throws RetriableException when the registry does not answer, or not with a schema, or does not have one yet
     */
    void prepare(Set<SchemaId> ids);

    /**
     * The JSON of a value, or empty when it is null. {@link #prepare} was called with its schema's id.
     *
     * @throws RefusedException when there is no such schema, or the payload does not fit it
     */
    Optional<ByteSlice> decode(SchemaId id, ByteSlice payload);

    /**
     * The types of the fields of the value that was decoded last, and of the fields in these; empty if it has no fields.
     * Types with parts that are deeper are not told apart.
     */
    Optional<Schema> schema();

    /** Gives back what it shares with other tasks. */
    @Override
    void close();
}
