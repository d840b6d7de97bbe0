package io.tidegate.connect.avro;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.ByteSlice;
import io.tidegate.connect.common.document.FieldDefaults;
import io.tidegate.connect.common.document.RefusedException;
import io.tidegate.connect.common.format.SchemaId;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.time.Clock;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.kafka.connect.errors.RetriableException;

/**
 * Keeps the plans of schemas by their ids, because an id never gets another schema. What the registry does not have is
 * asked for again with the next records. One thread uses it.
 */
final class AvroDecoder implements ValueDecoder {
    /** The plans that were not used for the longest time are dropped. The records of one {@code put} may need more. */
    static final int MAX_PLANS = 1_000;

    private final RegistryClient registry;
    private final FieldDefaults defaults;
    private final int maxPlans;
    private final RegistryOutage outage;
    private final AvroInput in = new AvroInput();
    private final JsonOutput out = new JsonOutput();
    private final Map<SchemaId, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private Entry last = new Entry(Optional.empty(), "", false);
    private SchemaId lastId = new SchemaId(SchemaId.Kind.SHORT, -1);

    /**
     * What is known of an id.
     *
     * @param transcoder empty if there is none
     * @param reason why there is none
     * @param isFinal whether the registry cannot say anything else later
     */
    private record Entry(Optional<AvroTranscoder> transcoder, String reason, boolean isFinal) {}

    AvroDecoder(RegistryClient registry, FieldDefaults defaults, Clock clock, int maxPlans) {
        this.registry = requireNonNull(registry, "registry");
        this.defaults = requireNonNull(defaults, "defaults");
        this.maxPlans = maxPlans;
        this.outage = new RegistryOutage(registry.toString(), clock);
    }

    @Override
    public void prepare(Set<SchemaId> ids) {
        forget();
        for (SchemaId id : ids) {
            if (entries.get(id) == null) {
                entries.put(id, fetched(id));
            }
        }
    }

    private void forget() {
        entries.values().removeIf(entry -> !entry.isFinal());
        Iterator<Entry> oldest = entries.values().iterator();
        while (entries.size() > maxPlans) {
            oldest.next();
            oldest.remove();
        }
        lastId = new SchemaId(SchemaId.Kind.SHORT, -1);
    }

    private Entry fetched(SchemaId id) {
        try {
            Optional<Schema> schema = registry.schema(id);
            outage.over();
            return schema.map(this::compiled)
                    .orElseGet(() -> new Entry(Optional.empty(), "the schema registry has no " + id, false));
        } catch (UnfitException e) {
            outage.over();
            return new Entry(Optional.empty(), id + " cannot be used: " + e.getMessage(), false);
        } catch (RegistryException e) {
            outage.failed(e.getMessage());
            throw new RetriableException(
                    "The schema registry at " + registry + " does not give " + id + ": " + e.getMessage(), e);
        }
    }

    private Entry compiled(Schema schema) {
        return new Entry(Optional.of(new AvroTranscoder(schema, defaults, in, out)), "", true);
    }

    @Override
    public Optional<ByteSlice> decode(SchemaId id, ByteSlice payload) {
        if (!id.equals(lastId)) {
            if (!entries.containsKey(id)) {
                throw new IllegalStateException(id + " was not prepared");
            }
            last = entries.get(id);
            lastId = id;
        }
        Entry entry = last;
        AvroTranscoder transcoder = entry.transcoder()
                .orElseThrow(() -> new RefusedException("the value cannot be read as Avro: " + entry.reason()));
        try {
            return transcoder.transcode(payload);
        } catch (UnfitException e) {
            throw new RefusedException("the value in Avro of " + id + " has no JSON form: " + e.getMessage());
        }
    }
}
