package io.tidegate.connect.avro;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.format.SchemaId;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.spi.AccessRefusedException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.time.Outage;
import io.tidegate.connect.common.value.ByteSlice;
import io.tidegate.connect.common.value.RefusedException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.kafka.connect.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the plans of schemas by their ids. An id gets another schema only if the registry was rebuilt. So a known id is
 * asked for again each minute, and before a payload is refused that does not fit. What the registry does not have is
 * asked for again with the next records. One thread uses it.
 */
final class AvroDecoder implements ValueDecoder {
    /** The plans that were not used for the longest time are dropped. The records of one {@code put} may need more. */
    static final int MAX_PLANS = 1_000;

    /** A registry that was rebuilt is noticed after this time. */
    static final Duration MAX_AGE = Duration.ofMinutes(1);

    /** Limits the questions for payloads that do not fit. */
    static final Duration MIN_AGE = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(AvroDecoder.class);

    private final RegistryClient registry;
    private final Clock clock;
    private final int maxPlans;
    private final Outage outage;
    private final AvroInput in = new AvroInput();
    private final JsonOutput out = new JsonOutput();
    private final Map<SchemaId, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private Entry last = new Entry(Optional.empty(), Optional.empty(), Optional.empty(), "", 0);
    private OptionalLong silentSince = OptionalLong.empty(); // when a known schema was asked for in vain
    private SchemaId lastId = new SchemaId(SchemaId.Kind.SHORT, -1);

    /**
     * What is known of an id.
     *
     * @param transcoder of the schema; empty if there is none
     * @param types of its fields; empty if it has none
     * @param reason why there is none; the registry may have one later
     * @param asked when, as {@link Clock#nanoTime()}
     */
    private record Entry(
            Optional<Schema> schema,
            Optional<AvroTranscoder> transcoder,
            Optional<org.apache.kafka.connect.data.Schema> types,
            String reason,
            long asked) {}

    AvroDecoder(RegistryClient registry, Clock clock, int maxPlans) {
        this.registry = requireNonNull(registry, "registry");
        this.maxPlans = maxPlans;
        this.clock = requireNonNull(clock, "clock");
        this.outage = new Outage("The schema registry at " + registry, "give schemas");
    }

    @Override
    public void prepare(Set<SchemaId> ids) {
        forget();
        for (SchemaId id : ids) {
            Entry known = entries.get(id);
            if (known == null) {
                entries.put(id, fetched(id));
            } else if (isOlder(known, MAX_AGE) && isAnswering()) {
                askAgain(id, known);
            }
        }
    }

    private void forget() {
        entries.values().removeIf(entry -> entry.transcoder().isEmpty());
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
            outage.over(clock.nanoTime());
            return schema.map(this::compiled).orElseGet(() -> without("the schema registry has no " + id));
        } catch (UnfitException e) {
            outage.over(clock.nanoTime());
            return without(id + " cannot be used: " + e.getMessage());
        } catch (RegistryException e) {
            outage.failed(clock.nanoTime(), id.toString(), e.getMessage());
            String message = "The schema registry at " + registry + " does not give " + id + ": " + e.getMessage();
            throw e.isAccessRefused() ? new AccessRefusedException(message, e) : new RetriableException(message, e);
        }
    }

    private Entry without(String reason) {
        return new Entry(Optional.empty(), Optional.empty(), Optional.empty(), reason, clock.nanoTime());
    }

    private Entry compiled(Schema schema) {
        AvroTranscoder transcoder = new AvroTranscoder(schema, in, out);
        return new Entry(Optional.of(schema), Optional.of(transcoder), FieldSchemas.of(schema), "", clock.nanoTime());
    }

    private boolean isOlder(Entry entry, Duration age) {
        return clock.nanoTime() - entry.asked() > age.toNanos();
    }

    /** Known schemas need no registry, so one that does not answer may hold up records only once in a while. */
    private boolean isAnswering() {
        return silentSince.isEmpty() || clock.nanoTime() - silentSince.getAsLong() > MAX_AGE.toNanos();
    }

    /** Keeps what is known, unless the registry has another schema now. */
    private Entry askAgain(SchemaId id, Entry known) {
        Entry entry = new Entry(known.schema(), known.transcoder(), known.types(), known.reason(), clock.nanoTime());
        try {
            Optional<Schema> schema = registry.schema(id);
            if (schema.isPresent() && !schema.equals(known.schema())) {
                entry = compiled(schema.get());
                log.warn(
                        "The schema registry at {} has another schema for {} than before: it was rebuilt. Values are read"
                                + " with the new one from now on",
                        registry,
                        id);
            }
        } catch (UnfitException e) {
            log.debug("{} is used as it is known", id, e);
        } catch (RegistryException e) {
            log.debug("{} is used as it is known, and no schema is asked for again for a while", id, e);
            silentSince = OptionalLong.of(clock.nanoTime());
        }
        entries.put(id, entry);
        return entry;
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
        try {
            return transcode(last, payload);
        } catch (UnfitException e) {
            if (isOlder(last, MIN_AGE) && isAnswering()) {
                Optional<Schema> before = last.schema();
                last = askAgain(id, last);
                if (!last.schema().equals(before)) {
                    return decode(id, payload);
                }
            }
            throw new RefusedException("the value in Avro of " + id + " has no JSON form: " + e.getMessage());
        }
    }

    @Override
    public Optional<org.apache.kafka.connect.data.Schema> schema() {
        return last.types();
    }

    private static Optional<ByteSlice> transcode(Entry entry, ByteSlice payload) {
        return entry.transcoder()
                .orElseThrow(() -> new RefusedException("the value cannot be read as Avro: " + entry.reason()))
                .transcode(payload);
    }
}
