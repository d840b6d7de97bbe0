package io.tidegate.connect.common.task;

import io.tidegate.connect.common.task.Ledger.Entry;
import io.tidegate.connect.common.task.Ledger.Kind;
import io.tidegate.connect.common.task.SimulatedSink.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a store must have in the end, given what a plan promises. It shares no code with the sinks, and is slow and plain
 * on purpose: it is the specification.
 */
final class Oracle {
    private final Plan plan;
    private final Function<Entry, String> places;

    /**
     * The oracle of one plan.
     *
     * @param places the destination of an entry, and what names it there if something does
     */
    Oracle(Plan plan, Function<Entry, String> places) {
        this.plan = plan;
        this.places = places;
    }

    /** The fields of an entry's document. No entry has the same ones. */
    static Map<String, String> fields(Entry entry) {
        return new TreeMap<>(Map.of("at", entry.name(), "f" + entry.offset % 3, Long.toString(entry.offset)));
    }

    /**
     * Compares.
     *
     * @param logs by partition, in the order of the offsets
     * @return what is wrong, in words; empty if nothing is
     */
    List<String> differences(Collection<List<Entry>> logs, List<Row> rows) {
        return plan.ids() == Plan.Ids.NONE ? ofAppended(logs, rows) : ofNamed(logs, rows);
    }

    private List<String> ofAppended(Collection<List<Entry>> logs, List<Row> rows) {
        Map<String, Integer> counts = new HashMap<>();
        rows.forEach(row -> counts.merge(row.place() + row.fields(), 1, Integer::sum));
        List<String> wrong = new ArrayList<>();
        for (List<Entry> log : logs) {
            for (Entry entry : log) {
                Integer count = counts.remove(places.apply(entry) + fields(entry));
                boolean isWritten = isWritten(entry) && !entry.deletes();
                if (isWritten && count == null) {
                    wrong.add(entry + " is missing");
                } else if (!isWritten && count != null) {
                    wrong.add(entry + " is there");
                } else if (plan.exactlyOnce() && isWritten && count > 1) {
                    wrong.add(entry + " is there " + count + " times");
                }
            }
        }
        counts.keySet().forEach(row -> wrong.add("nobody wrote " + row));
        return wrong;
    }

    private static boolean isWritten(Entry entry) {
        return entry.kind == Kind.GOOD;
    }

    private List<String> ofNamed(Collection<List<Entry>> logs, List<Row> rows) {
        Map<String, Map<String, String>> found = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (Row row : rows) {
            if (found.put(row.place(), row.fields()) != null) {
                wrong.add(row.place() + " is there twice");
            }
        }
        Map<String, Set<Optional<Map<String, String>>>> expected = new HashMap<>();
        for (List<Entry> log : logs) {
            Map<String, List<Entry>> byPlace = log.stream()
                    .filter(Oracle::isWritten)
                    .collect(Collectors.groupingBy(places, TreeMap::new, Collectors.toList()));
            byPlace.forEach((place, entries) ->
                    expected.computeIfAbsent(place, each -> new HashSet<>()).add(after(entries)));
        }
        Set<String> all = new TreeSet<>(expected.keySet());
        all.addAll(found.keySet());
        for (String place : all) {
            Optional<Map<String, String>> is = Optional.ofNullable(found.get(place));
            Set<Optional<Map<String, String>>> may = expected.getOrDefault(place, Set.of(Optional.empty()));
            if (!may.contains(is)) {
                wrong.add(place + " is " + is + " instead of " + may);
            }
        }
        return wrong;
    }

    /** What these records leave at their place if they are written one after the other. */
    private Optional<Map<String, String>> after(List<Entry> entries) {
        Optional<Map<String, String>> row = Optional.empty();
        for (Entry entry : entries) {
            if (entry.deletes()) {
                row = Optional.empty();
            } else {
                row = Optional.of(
                        switch (plan.mode()) {
                            case REPLACE -> fields(entry);
                            case FIRST -> row.orElse(fields(entry));
                            case MERGE -> merged(row, entry);
                        });
            }
        }
        return row;
    }

    private static Map<String, String> merged(Optional<Map<String, String>> row, Entry entry) {
        Map<String, String> merged = new TreeMap<>(row.orElse(Map.of()));
        merged.putAll(fields(entry));
        return merged;
    }
}
