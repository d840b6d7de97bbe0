package io.tidegate.connect.common.delivery;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Documents behind a refused record of their partition that is not reported yet. If the server keeps offsets, they must not
 * be written before that, because the refused record would count as done. The lane that carries their partitions uses it.
 */
final class BehindRefused {
    private BehindRefused() {}

    /**
     * Those of some documents. The question is asked once for each partition: a report that is confirmed meanwhile must not
     * let a later record go before an earlier one.
     */
    static List<Document> of(List<Document> documents) {
        Map<Progress, Long> refused = new HashMap<>();
        documents.forEach(document -> refused.computeIfAbsent(document.progress(), BehindRefused::firstRefused));
        return documents.stream()
                .filter(document -> refused.get(document.progress()) < document.offset())
                .toList();
    }

    /** Nobody waits for the records of a revoked partition. */
    private static long firstRefused(Progress progress) {
        return progress.isRevoked() ? Long.MAX_VALUE : progress.firstRefused().orElse(Long.MAX_VALUE);
    }

    /** The lane holds these back, and everything before them is done. They are in order. */
    static void hold(List<Document> waiting) {
        for (int i = waiting.size() - 1; i >= 0; i--) { // the first of each partition comes last
            waiting.get(i).progress().hold(waiting.get(i).offset());
        }
    }

    /** The lane goes on with these. */
    static void release(List<Document> waiting) {
        waiting.forEach(each -> each.progress().holdNothing());
    }
}
