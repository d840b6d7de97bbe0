package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the chosen letters are: counted by kind, original topic and reason. One thread uses it. */
final class Contents {
    private static final int MOST_GROUPS = 20;
    private static final int MOST_REASONS = 10_000;
    private static final int REASON_LENGTH = 120;

    private final Map<Group, Times> groups = new LinkedHashMap<>();

    private record Group(String kind, String topic, String reason) {}

    private static final class Times {
        private long count;
        private Instant first = Instant.MAX;
        private Instant last = Instant.MIN;

        void add(Instant time) {
            count++;
            first = time.isBefore(first) ? time : first;
            last = time.isAfter(last) ? time : last;
        }
    }

    void add(Letter letter) {
        String topic =
                letter.origin().map(origin -> origin.partition().topic()).orElse("(the letter does not say its topic)");
        Group group = new Group(letter.kind(), topic, general(letter.reason()));
        Group known = groups.size() < MOST_REASONS || groups.containsKey(group)
                ? group
                : new Group(letter.kind(), topic, "(other reasons)");
        groups.computeIfAbsent(known, unused -> new Times()).add(letter.time());
    }

    /** Reasons that differ in numbers only are one. */
    private static String general(String reason) {
        String line = reason.replaceAll("\\d+", "N").replaceAll("\\s+", " ");
        return line.length() > REASON_LENGTH ? line.substring(0, REASON_LENGTH) + "..." : line;
    }

    private List<Map.Entry<Group, Times>> sorted() {
        Comparator<Map.Entry<Group, Times>> byCount =
                Comparator.comparingLong(entry -> -requireNonNull(entry.getValue()).count);
        return groups.entrySet().stream().sorted(byCount).toList();
    }

    void print(PrintWriter out) {
        List<Map.Entry<Group, Times>> all = sorted();
        all.stream()
                .limit(MOST_GROUPS)
                .forEach(entry -> out.printf(
                        Locale.ROOT,
                        "%,10d  %s  %s  %s to %s%n            %s%n",
                        entry.getValue().count,
                        entry.getKey().kind(),
                        entry.getKey().topic(),
                        entry.getValue().first,
                        entry.getValue().last,
                        entry.getKey().reason()));
        if (all.size() > MOST_GROUPS) {
            out.printf("            and %d more groups (--json shows all)%n", all.size() - MOST_GROUPS);
        }
        out.flush();
    }

    void addTo(ArrayNode array) {
        for (Map.Entry<Group, Times> entry : sorted()) {
            ObjectNode group = array.addObject();
            group.put("kind", entry.getKey().kind());
            group.put("topic", entry.getKey().topic());
            group.put("reason", entry.getKey().reason());
            group.put("letters", entry.getValue().count);
            group.put("first", entry.getValue().first.toString());
            group.put("last", entry.getValue().last.toString());
        }
    }
}
