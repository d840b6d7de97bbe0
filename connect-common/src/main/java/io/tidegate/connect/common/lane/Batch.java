package io.tidegate.connect.common.lane;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.Identity;
import io.tidegate.connect.common.offset.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An ordered slice of a lane's documents. If the last write wins, only the last document of each key is written, but
 * every offset is remembered. Immutable.
 */
public final class Batch {
    private final List<Document> documents;
    private final Map<Document, Document> superseded;
    private final Map<Progress, Long> lastOffsets;
    private final long bytesHeld;

    private Batch(
            List<Document> documents,
            Map<Document, Document> superseded,
            Map<Progress, Long> lastOffsets,
            long bytesHeld) {
        this.documents = documents;
        this.superseded = superseded;
        this.lastOffsets = lastOffsets;
        this.bytesHeld = bytesHeld;
    }

    /**
     * Makes the batch of these documents.
     *
     * @param lastWriteWins whether a later document replaces an earlier one with the same key
     */
    public static Batch of(List<Document> slice, boolean lastWriteWins) {
        Map<Progress, Long> lastOffsets = new HashMap<>();
        long bytesHeld = 0;
        for (int i = 0; i < slice.size(); i++) {
            Document document = slice.get(i);
            bytesHeld += document.bytesHeld();
            if (i + 1 == slice.size() || slice.get(i + 1).progress() != document.progress()) {
                lastOffsets.put(document.progress(), document.offset());
            }
        }
        if (!lastWriteWins) {
            return new Batch(slice, Map.of(), lastOffsets, bytesHeld);
        }
        Map<Document, Document> superseded = new HashMap<>();
        return new Batch(lastOfEachKey(slice, superseded), superseded, lastOffsets, bytesHeld);
    }

    private static List<Document> lastOfEachKey(List<Document> slice, Map<Document, Document> superseded) {
        List<Document> kept = new ArrayList<>(slice.size());
        Map<Identity, Document> earliestSeen = new HashMap<>();
        for (int i = slice.size() - 1; i >= 0; i--) {
            Document document = slice.get(i);
            if (!document.hasKey()) {
                kept.add(document);
                continue;
            }
            Document later = earliestSeen.put(Identity.of(document), document);
            if (later == null) {
                kept.add(document);
            } else {
                superseded.put(later, document);
            }
        }
        Collections.reverse(kept);
        return kept;
    }

    /** The documents to write, in order. */
    public List<Document> documents() {
        return documents;
    }

    /** The earlier document with the same key that this one replaced. It is written if this one is refused. */
    public Optional<Document> supersededBy(Document document) {
        return Optional.ofNullable(superseded.get(document));
    }

    /** Bytes on the heap that become free when the batch is done. */
    long bytesHeld() {
        return bytesHeld;
    }

    /** Acknowledges each partition's last offset: everything up to it is written or refused. */
    void acknowledge(int lane) {
        lastOffsets.forEach((progress, offset) -> progress.acknowledge(lane, offset));
    }
}
