package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.settings.LogVersion;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Looks whether the index has documents of another log under the coordinates with which a partition begins: at its
 * assignment, and when its offsets begin again. It finds what {@link LogVersion} alone does not: another log with older
 * timestamps. Without the privilege to read it finds nothing. A lane's thread uses it.
 */
final class LogCheck {
    private static final int MOST = 20; // documents of a partition

    private final StoredVersions stored;
    private final Map<Progress, Reached> reached = new WeakHashMap<>();

    /** How far a partition is. */
    private static final class Reached {
        private long offset = -1; // of the last document that was sent
        private int left; // documents to ask for
    }

    LogCheck(StoredVersions stored) {
        this.stored = requireNonNull(stored, "stored");
    }

    /**
     * Checks the partitions that begin with these documents.
     *
     * @throws RequestFailure when the index has documents of another log, or the server cannot be asked now
     */
    void check(List<Document> documents) throws RequestFailure {
        Map<String, Document> asked = new HashMap<>();
        for (Document document : documents) {
            Reached partition = reached.computeIfAbsent(document.progress(), unknown -> new Reached());
            if (partition.offset < 0 || document.offset() <= partition.offset) {
                partition.left = MOST;
            }
            if (partition.left > 0) {
                partition.left--;
                asked.put(new String(document.key(), StandardCharsets.UTF_8), document);
            }
            partition.offset = document.offset();
        }
        if (asked.isEmpty()) {
            return;
        }
        try {
            compare(asked);
        } catch (RequestFailure e) {
            asked.values().forEach(document -> reached.remove(document.progress())); // the next attempt asks again
            throw e;
        }
    }

    private void compare(Map<String, Document> asked) throws RequestFailure {
        Map<Document, Long> versions =
                stored.of(List.copyOf(asked.values()), "the question for documents of another log");
        for (Map.Entry<Document, Long> found : versions.entrySet()) {
            check(found.getKey(), found.getValue());
        }
    }

    private static void check(Document document, long version) throws RequestFailure {
        long expected = LogVersion.of(document.record().timestamp());
        if (LogVersion.isKnown(version) && !LogVersion.isSameRecord(version, expected)) {
            throw ElasticsearchFailures.ofOtherLog(document.toString(), document.destination());
        }
    }
}
