package io.tidegate.connect.check.oracle;

import io.tidegate.connect.check.oracle.Difference.Kind;
import io.tidegate.connect.check.oracle.Promises.Writing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares what was found with what was promised. It reads every record of every pass, decides what it is, and asks one of
 * two rules what the store must have: {@link AppendRule}, where each record is a row of its own, or {@link KeyedRule}, where
 * records change the row with their identity. Stateless; slow on purpose.
 */
public final class Oracle {
    private final Promises promises;

    public Oracle(Promises promises) {
        this.promises = promises;
    }

    /** A record and what it is. */
    record Read(LoggedRecord record, Meaning meaning) {}

    /** All differences; empty if everything is as promised. */
    public List<Difference> compare(List<Pass> passes, Observed observed) {
        List<Difference> differences = new ArrayList<>();
        observed.failure().ifPresent(trace -> differences.add(new Difference(Kind.FAILED, Texts.withoutFrames(trace))));
        observed.unfinished().ifPresent(what -> differences.add(new Difference(Kind.UNFINISHED, what)));
        if (!differences.isEmpty()) {
            return differences; // the rest follows from that
        }
        Reader reader = new Reader(promises);
        List<List<Read>> read = new ArrayList<>();
        Map<String, List<Read>> all = new LinkedHashMap<>();
        for (Pass pass : passes) {
            List<Read> ofPass = pass.records().stream()
                    .map(record -> new Read(record, reader.read(record)))
                    .toList();
            read.add(ofPass);
            ofPass.forEach(one -> all.computeIfAbsent(one.record().coordinates(), any -> new ArrayList<>())
                    .add(one));
        }
        List<Boolean> emptied = passes.stream().map(Pass::storeEmptied).toList();
        differences.addAll(
                promises.writing() == Writing.APPEND
                        ? new AppendRule(promises).compare(read, emptied, observed.items())
                        : new KeyedRule(promises, observed.overlapped()).compare(read, emptied, observed.items()));
        differences.addAll(letters(read, all, observed));
        return differences;
    }

    private List<Difference> letters(List<List<Read>> passes, Map<String, List<Read>> all, Observed observed) {
        List<Difference> differences = new ArrayList<>();
        Set<String> lettered = new HashSet<>();
        for (Letter letter : observed.letters()) {
            lettered.add(letter.coordinates());
            List<Read> records = all.getOrDefault(letter.coordinates(), List.of());
            if (records.stream().noneMatch(one -> one.meaning() instanceof Meaning.Refuse)) {
                differences.add(new Difference(
                        Kind.LETTER_WRONG,
                        "%s has a dead letter, but must not be refused: %s"
                                .formatted(
                                        records.isEmpty()
                                                ? letter.coordinates()
                                                : records.get(0).record(),
                                        Texts.shortened(letter.reason()))));
            } else if (letter.reason().isEmpty()) {
                differences.add(new Difference(
                        Kind.REASON_MISSING, letter.coordinates() + " has a dead letter without a reason"));
            }
        }
        if (promises.lettered()) {
            for (List<Read> pass : passes) {
                Set<LoggedRecord> superseded = superseded(pass);
                for (Read one : pass) {
                    if (one.meaning() instanceof Meaning.Refuse refusal
                            && !(refusal.byConverter() && observed.disturbed())
                            && !lettered.contains(one.record().coordinates())
                            && !superseded.contains(one.record())) {
                        differences.add(new Difference(
                                Kind.LETTER_MISSING,
                                "%s has no dead letter, but must be refused: %s"
                                        .formatted(one.record(), refusal.reason())));
                    }
                }
            }
        }
        return differences;
    }

    /**
     * A batch keeps only the last record of an identity, whatever their partitions are. So a record may never be tried if
     * another one of its identity is in another partition, or later in its own.
     */
    private Set<LoggedRecord> superseded(List<Read> pass) {
        Set<LoggedRecord> superseded = new HashSet<>();
        if (promises.writing() != Writing.REPLACE) {
            return superseded;
        }
        Map<String, List<LoggedRecord>> byIdentity = new HashMap<>();
        for (Read one : pass) {
            one.meaning().identity().ifPresent(id -> byIdentity
                    .computeIfAbsent(id, any -> new ArrayList<>())
                    .add(one.record()));
        }
        for (List<LoggedRecord> records : byIdentity.values()) {
            for (LoggedRecord record : records) {
                if (records.stream()
                        .anyMatch(other -> !other.log().equals(record.log()) || other.offset() > record.offset())) {
                    superseded.add(record);
                }
            }
        }
        return superseded;
    }
}
