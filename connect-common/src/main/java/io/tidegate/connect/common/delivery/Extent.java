package io.tidegate.connect.common.delivery;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Describes which records some documents come from: {@code 3 records (tides-0@5..6, tides-1@9 into tides)}. */
final class Extent {
    private static final int MOST_PARTITIONS = 8;

    private Extent() {}

    static String of(List<Document> documents) {
        Map<Progress, long[]> ranges = new LinkedHashMap<>();
        for (Document document : documents) {
            long offset = document.offset();
            ranges.merge(document.progress(), new long[] {offset, offset}, (a, b) ->
                    new long[] {Math.min(a[0], b[0]), Math.max(a[1], b[1])});
        }
        String where = listed(ranges.entrySet(), entry -> entry.getKey() + "@" + range(entry.getValue()));
        String destinations = documents.stream()
                .map(Document::destination)
                .distinct()
                .limit(3)
                .collect(Collectors.joining(", "));
        return documents.size() + (documents.size() == 1 ? " record (" : " records (") + where + " into " + destinations
                + ")";
    }

    /** Describes the offsets of partitions, of which a task may have thousands. */
    static String ofOffsets(Collection<Progress> partitions) {
        return "the offsets of " + listed(partitions, Progress::toString);
    }

    private static <T> String listed(Collection<T> all, Function<T, String> text) {
        String first = all.stream().limit(MOST_PARTITIONS).map(text).collect(Collectors.joining(", "));
        return all.size() > MOST_PARTITIONS ? first + " and " + (all.size() - MOST_PARTITIONS) + " more" : first;
    }

    private static String range(long[] offsets) {
        return offsets[0] == offsets[1] ? Long.toString(offsets[0]) : offsets[0] + ".." + offsets[1];
    }
}
