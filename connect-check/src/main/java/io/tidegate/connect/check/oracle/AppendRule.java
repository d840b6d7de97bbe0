package io.tidegate.connect.check.oracle;

import io.tidegate.connect.check.oracle.Difference.Kind;
import io.tidegate.connect.check.oracle.Oracle.Read;
import io.tidegate.connect.check.oracle.Promises.Delivery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Each record is a row: exactly one for each pass, or at least one. Rows are told apart by their coordinates if the store has
 * them, otherwise by their contents.
 */
final class AppendRule {
    private final Promises promises;

    AppendRule(Promises promises) {
        this.promises = promises;
    }

    private static final class Group {
        private final List<LoggedRecord> records = new ArrayList<>();
        private final List<StoredItem> items = new ArrayList<>();
    }

    List<Difference> compare(List<List<Read>> passes, List<Boolean> emptied, List<StoredItem> items) {
        boolean placed = items.stream().allMatch(item -> item.coordinates().isPresent()) && !items.isEmpty();
        Map<String, Group> groups = new LinkedHashMap<>();
        for (int i = 0; i < passes.size(); i++) {
            if (emptied.get(i)) {
                groups.clear();
            }
            for (Read one : passes.get(i)) {
                if (one.meaning() instanceof Meaning.Write write) {
                    group(
                                    groups,
                                    write.destination(),
                                    placed,
                                    one.record().coordinates(),
                                    Canonical.text(write.document()))
                            .records
                            .add(one.record());
                }
            }
        }
        for (StoredItem item : items) {
            group(groups, item.destination(), placed, item.coordinates().orElse(""), Canonical.text(item.document()))
                    .items
                    .add(item);
        }
        List<Difference> differences = new ArrayList<>();
        groups.values().forEach(group -> differences.addAll(compare(group)));
        if (promises.inOrder() && placed && isOnePast(passes, emptied) && differences.isEmpty()) {
            differences.addAll(order(items));
        }
        return differences;
    }

    /** Whether no row can be gone and written again, and no place in Kafka had two records, one after the other. */
    private static boolean isOnePast(List<List<Read>> passes, List<Boolean> emptied) {
        Map<String, LoggedRecord> records = new HashMap<>();
        Map<String, Long> highest = new HashMap<>();
        return emptied.stream().noneMatch(each -> each)
                && passes.stream().flatMap(List::stream).map(Read::record).allMatch(record -> {
                    LoggedRecord before = records.putIfAbsent(record.coordinates(), record);
                    if (before != null) {
                        return before.equals(record);
                    }
                    Long last = highest.put(record.topic() + "-" + record.partition(), record.offset());
                    return last == null
                            || last < record.offset(); // an aborted record of the log before may have had the place
                });
    }

    private static Group group(
            Map<String, Group> groups, String destination, boolean placed, String place, String text) {
        return groups.computeIfAbsent(destination + "\n" + (placed ? place : "") + "\n" + text, any -> new Group());
    }

    private List<Difference> compare(Group group) {
        int wanted = group.records.size();
        int found = group.items.size();
        if (wanted == 0) {
            return List.of(new Difference(Kind.UNEXPLAINED, "no record explains " + group.items.get(0)));
        }
        if (found < wanted) {
            return List.of(new Difference(
                    Kind.LOST, "%s is stored %d times instead of %d".formatted(group.records.get(0), found, wanted)));
        }
        if (found > wanted && promises.delivery() == Delivery.EXACTLY_ONCE) {
            return List.of(new Difference(
                    Kind.DOUBLED,
                    "%s is stored %d times instead of %d".formatted(group.records.get(0), found, wanted)));
        }
        return List.of();
    }

    /** The first rows of a partition's records must be in its order. A row that is written again may come later. */
    private static List<Difference> order(List<StoredItem> items) {
        if (items.stream().anyMatch(item -> item.sequence().isEmpty())) {
            return List.of();
        }
        List<StoredItem> written = items.stream()
                .sorted(Comparator.comparing(StoredItem::destination)
                        .thenComparing(item -> item.sequence().orElseThrow()))
                .toList();
        Set<String> seen = new HashSet<>();
        Map<String, Long> highest = new HashMap<>();
        List<Difference> differences = new ArrayList<>();
        for (StoredItem item : written) {
            String place = item.coordinates().orElseThrow();
            if (!seen.add(item.destination() + " " + place)) {
                continue;
            }
            int at = place.lastIndexOf('@');
            long offset = Long.parseLong(place.substring(at + 1));
            Long before = highest.put(item.destination() + " " + place.substring(0, at), offset);
            if (before != null && before > offset) {
                differences.add(new Difference(
                        Kind.ORDER, "%s was written after offset %d of its partition".formatted(item, before)));
            }
        }
        return differences;
    }
}
