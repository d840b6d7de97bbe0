package io.tidegate.connect.tools.audit;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.MetadataEncoder;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.connect.data.Schema;

/**
 * Keys of records as the audit shows them, in a column that the sink's table does not have. PostgreSQL must not refuse a
 * record for its key if the sink stores it. One thread uses it.
 */
final class ShownKeys {
    private final MetadataEncoder encoder = new MetadataEncoder(UnaryOperator.identity(), UnaryOperator.identity());

    /** The document itself, or one of a record whose key can be stored. */
    Document storable(Document document) {
        Optional<ByteSlice> key;
        try {
            key = encoder.keyOf(document.record());
        } catch (RefusedException e) {
            return document.withRecordKey(null, null); // it has no JSON form
        }
        return key.filter(text -> UnstorableCharacters.first(text, false) < text.to())
                .map(text -> new String(UnstorableCharacters.REPLACE.text(text.bytes()), StandardCharsets.UTF_8))
                .map(text -> document.withRecordKey(Schema.STRING_SCHEMA, text))
                .orElse(document);
    }
}
