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
import java.util.Comparator;
import java.util.HashMap;
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
 * Keeps the plans of schemas by their ids. An id gets another schema only if the registry was rebuilt. So the decoder asks
 * again, after a minute, for the known id that was confirmed longest ago, and for any id before it refuses a payload that
 * does not fit. If one has changed, all others are doubtful: it asks for them, as for unknown ones, before it uses them
 * again. For what the registry does not have it asks again with the next records. One thread uses it.
 */
final class AvroDecoder implements ValueDecoder {
    /** The plans that were not used for the longest time are dropped. The records of one {@code put} may need more. */
    static final int MAX_PLANS = 1_000;

    /** A registry that was rebuilt is noticed after this time. */
    static final Duration MAX_AGE = Duration.ofMinutes(1);

    /** Limits the questions for payloads that do not fit. */
    static final Duration MIN_AGE = Duration.ofSeconds(1);

    /** A schema that is missing may be new, and a node of the registry late. */
    static final Duration GRACE = Duration.ofSeconds(10);

    /** For all questions of one {@code put}, which must end before {@code max.poll.interval.ms}. */
    static final Duration MAX_QUESTIONING = Duration.ofSeconds(30);

    private static final Logger log = LoggerFactory.getLogger(AvroDecoder.class);
    private static final int NEVER = -1;

    private final RegistryClient registry;
    private final Clock clock;
    private final int maxPlans;
    private final Outage outage;
    private final AvroInput in = new AvroInput();
    private final JsonOutput out = new JsonOutput();
    private final Map<SchemaId, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<SchemaId, Missing> missing = new HashMap<>();
    private int rebuilds; // of the registry, as far as they were noticed
    private boolean isPrepared = true; // for the last put
    private boolean isAskingOver; // in this put: the registry gave no answer, or took too long
    private long putBegan;
    private OptionalLong silentSince = OptionalLong.empty(); // when a known schema was asked for in vain
    private boolean isWarnedOfMissing;
    private Entry last = Entry.without("", 0);
    private SchemaId lastId = new SchemaId(SchemaId.Kind.SHORT, -1);

    /**
     * What is known of an id.
     *
     * @param transcoder of the schema; empty if there is none
     * @param types of its fields; empty if it has none
     * @param reason why there is none; the registry may have one later
     * @param confirmed when the registry last gave this answer, as {@link Clock#nanoTime()}
     * @param rebuild how many rebuilds were known then; {@link #NEVER} if it must be confirmed before it is used again
     */
    private record Entry(
            Optional<Schema> schema,
            Optional<AvroTranscoder> transcoder,
            Optional<org.apache.kafka.connect.data.Schema> types,
            String reason,
            long confirmed,
            int rebuild) {
        static Entry without(String reason, long confirmed) {
            return new Entry(Optional.empty(), Optional.empty(), Optional.empty(), reason, confirmed, NEVER);
        }

        boolean isUsable() {
            return transcoder.isPresent();
        }

        Entry confirmed(long now, int rebuilds) {
            return new Entry(schema, transcoder, types, reason, now, rebuilds);
        }

        Entry doubtful() {
            return confirmed(confirmed, NEVER);
        }
    }

    /** Since when the registry has not had a schema, and when it said so last, as {@link Clock#nanoTime()}. */
    private record Missing(long since, long asked) {}

    AvroDecoder(RegistryClient registry, Clock clock, int maxPlans) {
        this.registry = requireNonNull(registry, "registry");
        this.maxPlans = maxPlans;
        this.clock = requireNonNull(clock, "clock");
        this.outage = new Outage("The schema registry at " + registry, "give schemas");
    }

    @Override
    public void prepare(Set<SchemaId> ids) {
        forget(ids);
        askForOldest(ids);
        Optional<SchemaId> late = Optional.empty();
        int known;
        do {
            known = rebuilds;
            for (SchemaId id : ids) {
                if (!isKnown(id)) {
                    throwIfTooLate(id);
                    late = fetch(id) ? late : Optional.of(id);
                }
            }
        } while (known != rebuilds); // which makes those doubtful that were known before it was noticed
        if (late.isPresent()) {
            throw new RetriableException("The schema registry at " + registry + " has no " + late.get()
                    + ". Its records are refused if it has none for " + GRACE.toSeconds() + " s");
        }
        isPrepared = true;
    }

    /** If the last call did not succeed, the same records wait: nothing of theirs may go, or they never get through. */
    private void forget(Set<SchemaId> ids) {
        if (isPrepared) {
            entries.values().removeIf(entry -> !entry.isUsable());
        }
        Iterator<SchemaId> oldest = entries.keySet().iterator();
        while (entries.size() > maxPlans && oldest.hasNext()) {
            if (!ids.contains(oldest.next())) {
                oldest.remove();
            }
        }
        if (missing.size() > maxPlans) {
            missing.keySet().retainAll(ids);
        }
        lastId = new SchemaId(SchemaId.Kind.SHORT, -1);
        isPrepared = false;
        isAskingOver = false;
        putBegan = clock.nanoTime();
    }

    private boolean isKnown(SchemaId id) {
        Entry entry = entries.get(id); // which makes it the one used last
        return entry != null && (!entry.isUsable() || !isDoubtful(entry));
    }

    private boolean isDoubtful(Entry entry) {
        return entry.rebuild() != rebuilds;
    }

    private boolean isOlder(Entry entry, Duration age) {
        return clock.nanoTime() - entry.confirmed() > age.toNanos();
    }

    private boolean isLate() {
        return clock.nanoTime() - putBegan > MAX_QUESTIONING.toNanos();
    }

    /** Known schemas need no registry, so a slow one may hold up records only once in a {@code put}, a silent one rarely. */
    private void askForOldest(Set<SchemaId> ids) {
        if (silentSince.isEmpty() || clock.nanoTime() - silentSince.getAsLong() > MAX_AGE.toNanos()) {
            long now = clock.nanoTime();
            entries.entrySet().stream()
                    .filter(each ->
                            ids.contains(each.getKey()) && each.getValue().isUsable())
                    .filter(each -> !isDoubtful(each.getValue()) && isOlder(each.getValue(), MAX_AGE))
                    .max(Comparator.comparingLong(each -> now - each.getValue().confirmed()))
                    .map(Map.Entry::getKey)
                    .ifPresent(id -> silentSince = isConfirmed(id) ? OptionalLong.empty() : OptionalLong.of(now));
        }
    }

    private void throwIfTooLate(SchemaId id) {
        if (isLate()) {
            throw new RetriableException("The schema registry at " + registry + " needs more than "
                    + MAX_QUESTIONING.toSeconds() + " s for the schemas of these records. Going on with " + id);
        }
    }

    /** False while the schema is missing, but perhaps only late. */
    private boolean fetch(SchemaId id) {
        Optional<Entry> known = Optional.ofNullable(entries.get(id)).filter(Entry::isUsable);
        try {
            Optional<Schema> schema = registry.schema(id);
            outage.over(clock.nanoTime());
            if (known.isPresent()) {
                entries.put(id, renewed(id, known.get(), schema));
            } else if (schema.isPresent()) {
                entries.put(id, compiled(schema.get()));
            } else if (isMissingForLong(id)) {
                entries.put(id, Entry.without("the schema registry has no " + id, clock.nanoTime()));
            } else {
                return false;
            }
            if (schema.isPresent()) {
                missing.remove(id);
            }
            return true;
        } catch (UnfitException e) {
            outage.over(clock.nanoTime());
            entries.put(
                    id,
                    known.map(this::confirmed)
                            .orElseGet(
                                    () -> Entry.without(id + " cannot be used: " + e.getMessage(), clock.nanoTime())));
            return true;
        } catch (RegistryException e) {
            outage.failed(clock.nanoTime(), id.toString(), e.getMessage());
            String message = "The schema registry at " + registry + " does not give " + id + ": " + e.getMessage();
            throw e.isAccessRefused() ? new AccessRefusedException(message, e) : new RetriableException(message, e);
        }
    }

    private boolean isMissingForLong(SchemaId id) {
        long now = clock.nanoTime();
        Missing before = missing.get(id);
        boolean isOver = before == null || now - before.asked() > MAX_AGE.toNanos(); // it may have come and gone
        missing.put(id, new Missing(isOver ? now : before.since(), now));
        return now - missing.get(id).since() >= GRACE.toNanos();
    }

    private Entry compiled(Schema schema) {
        AvroTranscoder transcoder = new AvroTranscoder(schema, in, out);
        return new Entry(
                Optional.of(schema), Optional.of(transcoder), FieldSchemas.of(schema), "", clock.nanoTime(), rebuilds);
    }

    private Entry confirmed(Entry known) {
        return known.confirmed(clock.nanoTime(), rebuilds);
    }

    /** Whether the registry says something about an id that is known. If it has another schema, that counts from now on. */
    private boolean isConfirmed(SchemaId id) {
        Entry known = entries.get(id);
        try {
            entries.put(id, renewed(id, known, registry.schema(id)));
            return true;
        } catch (UnfitException e) {
            log.debug("{} is used as it is known", id, e);
            entries.put(id, confirmed(known));
            return true;
        } catch (RegistryException e) {
            log.debug("{} is used as it is known, because the registry does not confirm it", id, e);
            return false;
        }
    }

    /** What is known, unless the registry has another schema now. */
    private Entry renewed(SchemaId id, Entry known, Optional<Schema> schema) {
        if (schema.isEmpty() && !isWarnedOfMissing) {
            isWarnedOfMissing = true;
            log.warn("The schema registry at {} no longer has {}. Values are read with it as it was", registry, id);
        }
        if (schema.isEmpty() || schema.equals(known.schema())) {
            return confirmed(known);
        }
        Entry other = compiled(schema.get());
        log.warn(
                "The schema registry at {} has another schema for {} than before: it was rebuilt. Values are read"
                        + " with the new one from now on",
                registry,
                id);
        if (known.rebuild() == rebuilds || known.rebuild() == NEVER) { // else this rebuild is known already
            rebuilds++;
        }
        return confirmed(other);
    }

    @Override
    public Optional<ByteSlice> decode(SchemaId id, ByteSlice payload) {
        if (!id.equals(lastId)) {
            if (!entries.containsKey(id)) {
                throw new IllegalStateException(id + " was not prepared");
            }
            last = entries.get(id);
            lastId = id;
            if (last.isUsable() && isDoubtful(last)) { // another id showed in this put that the registry was rebuilt
                askForLast();
            }
        }
        try {
            return transcode(last, payload);
        } catch (UnfitException e) {
            return decodeAnew(payload, e);
        }
    }

    /** Before a payload is refused, the registry is asked whether it has another schema now. */
    private Optional<ByteSlice> decodeAnew(ByteSlice payload, UnfitException reason) {
        Optional<Schema> before = last.schema();
        boolean isConfirmed = !isOlder(last, MIN_AGE) || askForLast();
        if (!last.schema().equals(before)) {
            return decode(lastId, payload);
        }
        throw new RefusedException("the value in Avro of " + lastId + " has no JSON form: " + reason.getMessage()
                + (isConfirmed ? "" : "; the registry does not say whether it has another schema now"));
    }

    /** Without an answer the schema must be confirmed before the next {@code put}, as this one cannot wait any more. */
    private boolean askForLast() {
        isAskingOver = isAskingOver || isLate() || !isConfirmed(lastId);
        if (isAskingOver) {
            entries.put(lastId, entries.get(lastId).doubtful());
        }
        last = entries.get(lastId);
        return !isAskingOver;
    }

    @Override
    public Optional<org.apache.kafka.connect.data.Schema> schema() {
        return last.types();
    }

    @Override
    public void close() {
        registry.close();
    }

    private static Optional<ByteSlice> transcode(Entry entry, ByteSlice payload) {
        return entry.transcoder()
                .orElseThrow(() -> new RefusedException("the value cannot be read as Avro: " + entry.reason()))
                .transcode(payload);
    }
}
