package io.tidegate.connect.tools.audit;

import io.tidegate.connect.common.document.Document;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Counts what was found and passes each finding on at once, so that memory does not depend on how many there are. The
 * thread of the audit uses it; the one that reads records reports what it cannot read.
 */
final class Findings {
    private final Consumer<Finding> listener;
    private final Map<Finding.Kind, Long> counts = new EnumMap<>(Finding.Kind.class);
    private final Map<String, Map<Finding.Kind, Long>> byPlace = new TreeMap<>();
    private final Map<String, Long> unknown = new LinkedHashMap<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Set<String> deadLetters = new HashSet<>();
    private final Set<String> doubtful = new HashSet<>(); // of deadLetters
    private final Map<String, String> lettersOfOthers = new HashMap<>(); // connectors by place
    private final Map<TopicPartition, Long> unreadable = new HashMap<>();
    private String lastUnreadable = "";
    private boolean areLettersKnown = true;
    private long compared;
    private long refused;
    private long inFlight;

    Findings(Consumer<Finding> listener) {
        this.listener = listener;
    }

    /**
     * The connector refused these records, so nothing is expected for them.
     *
     * @param areDoubtful whether they may have been written since
     */
    void deadLetters(Set<String> places, boolean areDoubtful) {
        deadLetters.addAll(places);
        if (areDoubtful) {
            doubtful.addAll(places);
        }
    }

    /** Another connector has an open letter of the record, which may be this one under an earlier name. */
    void letterOfAnother(String place, String connector) {
        lettersOfOthers.put(place, connector);
    }

    /** Some records that the connector refused count as missing, for the reason of this note. */
    void lettersUnread(String note) {
        note(note);
        areLettersKnown = false;
    }

    /** Whether all dead letters that may be redriven were read. */
    boolean areLettersKnown() {
        return areLettersKnown;
    }

    /** Where a record is in Kafka. */
    static String place(TopicPartition partition, long offset) {
        return partition + "@" + offset;
    }

    /** Whether the connector refused the record at this place. It may have been written since. */
    boolean isRefused(String place) {
        return deadLetters.contains(place);
    }

    /** Whether the connector refused this document's record. It may have been written since. */
    boolean isRefused(Document document) {
        return !deadLetters.isEmpty() && isRefused(placeOf(document));
    }

    private static String placeOf(Document document) {
        return place(document.progress().partition(), document.offset());
    }

    /** Counts a refused record, of which nothing is expected. */
    void refused(Document document) {
        refusedAt(placeOf(document));
    }

    private void refusedAt(String place) {
        if (doubtful.contains(place)) {
            unknown(
                    "records with dead letters that may have been written since: Kafka has forgotten how far tidegate"
                            + " redrive was, or a redrive with another --group has read them or was cut off at them",
                    1);
        } else {
            refused++;
        }
    }

    /** How many of these documents the connector did not refuse. The others are counted as refused. */
    long notRefused(List<Document> documents) {
        if (deadLetters.isEmpty()) {
            return documents.size();
        }
        List<Document> letters = documents.stream().filter(this::isRefused).toList();
        letters.forEach(this::refused);
        return (long) documents.size() - letters.size();
    }

    /**
     * A converter or transform fails here, although the connector has no dead letter of the record.
     *
     * @param isCompared whether the record belongs to what is compared
     */
    synchronized void unreadable(TopicPartition partition, boolean isCompared, String description) {
        if (unreadable.isEmpty()) {
            note("a converter or transform fails here and may not have failed in the connector: " + description);
        }
        unreadable.merge(partition, 1L, Long::sum);
        lastUnreadable = description;
        if (isCompared) {
            unknown("records that a converter or transform cannot read here and that have no dead letter", 1);
        }
    }

    /** Records that cannot be read here. */
    synchronized long unreadable() {
        return unreadable.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The last of them and its error; empty if there is none. */
    synchronized String lastUnreadable() {
        return lastUnreadable;
    }

    /** Whether a record of this partition cannot be read here. */
    synchronized boolean isUnreadable(TopicPartition partition) {
        return unreadable.containsKey(partition);
    }

    /** Adds a finding, unless the connector refused its record. */
    void add(Finding finding) {
        if (isTakenAsRefused(finding)) {
            return;
        }
        counts.merge(finding.kind(), 1L, Long::sum);
        String partition = finding.topic().isEmpty() ? "(no record)" : finding.topic() + "-" + finding.partition();
        byPlace.computeIfAbsent(partition + " -> " + finding.destination(), place -> new EnumMap<>(Finding.Kind.class))
                .merge(finding.kind(), 1L, Long::sum);
        listener.accept(unlessOfOthers(finding));
    }

    /** A redrive of a letter would write once more what a repair writes. */
    private Finding unlessOfOthers(Finding finding) {
        String other = lettersOfOthers.get(finding.place());
        boolean isWritten = finding.remedy().changesStore() && finding.remedy().action() != Remedy.Action.DELETE_COPIES;
        if (other == null || !isWritten) {
            return finding;
        }
        String reason = "the connector " + other + " has a dead letter of it, and a redrive would write it once more";
        note("a repair leaves records alone: " + reason);
        return finding.left(reason);
    }

    private boolean isTakenAsRefused(Finding finding) {
        boolean isOfRecord = finding.kind() == Finding.Kind.MISSING || finding.kind() == Finding.Kind.DIFFERENT;
        if (!isOfRecord || !deadLetters.contains(finding.place())) {
            return false;
        }
        refusedAt(finding.place());
        compared--;
        return true;
    }

    /** Counts a finding that proves no fault, unless the connector refused its record. */
    void addUnknown(Finding finding, String reason) {
        if (!isTakenAsRefused(finding)) {
            unknown(reason, 1);
        }
    }

    /**
     * Adds a finding about what is stored under a key. If a record could not be read, it may have written that, unless a
     * repair can prove that an older record did.
     */
    void addOfKey(Finding finding) {
        if (unreadable() > 0
                && finding.kind() != Finding.Kind.MISSING
                && !finding.remedy().changesStore()) {
            unknown(
                    "keys of " + finding.destination() + " that differ from the records that can be read: one that"
                            + " cannot be read here may have written them",
                    1);
        } else {
            add(finding);
        }
    }

    /** Counts what was not compared, with the reason. */
    synchronized void unknown(String reason, long records) {
        if (records > 0) {
            unknown.merge(reason, records, Long::sum);
        }
    }

    /** Says something that the reader must know to understand the result. */
    synchronized void note(String note) {
        notes.add(note);
    }

    void compared(long records) {
        compared += records;
    }

    void refused(long records) {
        refused += records;
    }

    /** Counts findings that a record explains which the sink was about to write. */
    void inFlight(long records) {
        inFlight += records;
    }

    long count(Finding.Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    Map<String, Map<Finding.Kind, Long>> byPlace() {
        return byPlace;
    }

    Map<String, Long> unknown() {
        return unknown;
    }

    Set<String> notes() {
        return notes;
    }

    long compared() {
        return compared;
    }

    long refused() {
        return refused;
    }

    /** 0: all is compared and nothing differs; 1: there are differences; 3: not everything was compared. */
    int status() {
        if (total() > 0) {
            return 1;
        }
        return unknown.isEmpty() ? 0 : 3;
    }

    long inFlight() {
        return inFlight;
    }
}
