package io.tidegate.connect.common.recovery;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.Progress.GivenUp;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.recovery.OffsetStore.Move;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The offsets that one lane owns. A document is written only together with the next offset, and only by the present owner
 * of its partition. The server decides: a partition whose offset is not what this lane left there is given up, and the
 * task claims it again. The lane's thread uses it, but for {@link #recognised()}.
 */
public final class OwnedOffsets {
    private static final Logger log = LoggerFactory.getLogger(OwnedOffsets.class);

    private final Map<Progress, StoredOffset> owned = new HashMap<>();
    private final LongAdder recognised = new LongAdder();
    private boolean unsure; // whether an attempt may have been committed without an answer

    /**
     * Claims partitions, and returns where each goes on; empty for one that the server does not know. Those that were
     * revoked meanwhile are another task's.
     */
    public <X extends Exception> Map<Progress, Optional<StartingPoint>> claim(
            OffsetStore<X> store, Collection<Progress> partitions) throws X {
        forgetRevoked();
        List<Progress> ours =
                partitions.stream().filter(each -> !each.isRevoked()).toList();
        Map<TopicPartition, StoredOffset> known = ours.isEmpty()
                ? Map.of()
                : store.claimKnown(ours.stream().map(Progress::partition).toList());
        Map<Progress, Optional<StartingPoint>> points = new HashMap<>();
        for (Progress progress : ours) {
            Optional<StoredOffset> offset = Optional.ofNullable(known.get(progress.partition()));
            offset.ifPresent(present -> owned.put(progress, present));
            points.put(progress, offset.map(StoredOffset::startingPoint));
        }
        return points;
    }

    /** Returns the documents that are not written yet. Begins their partitions first if the server does not know them. */
    public <X extends Exception> List<Document> unwritten(OffsetStore<X> store, List<Document> documents) throws X {
        readIfUnsure(store);
        begin(store, documents);
        List<Document> unwritten = new ArrayList<>(documents.size());
        for (Document document : documents) {
            StoredOffset offset = owned.get(document.progress());
            if (offset == null) {
                continue; // given up: it is delivered again
            }
            if (document.offset() >= offset.nextOffset()) {
                unwritten.add(document);
            } else {
                recognised.increment();
            }
        }
        return unwritten;
    }

    private <X extends Exception> void begin(OffsetStore<X> store, List<Document> documents) throws X {
        Map<Progress, Long> first = new LinkedHashMap<>();
        for (Document document : documents) {
            if (!owned.containsKey(document.progress()) && !document.progress().isRevoked()) {
                first.putIfAbsent(document.progress(), document.offset());
            }
        }
        if (first.isEmpty()) {
            return;
        }
        Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
        first.forEach((progress, offset) -> offsets.put(progress.partition(), offset));
        Map<TopicPartition, StoredOffset> stored = store.claim(offsets);
        for (Progress progress : first.keySet()) {
            StoredOffset offset = stored.get(progress.partition());
            if (offset.isNew()) {
                log.info("{} begins at offset {}: the offsets table had no entry", progress, offset.nextOffset());
                owned.put(progress, offset);
            } else {
                progress.giveUp(new GivenUp(0, false)); // by now the server knows it
            }
        }
    }

    private void forgetRevoked() {
        owned.keySet().removeIf(Progress::isRevoked);
    }

    /** Whether this lane owns nothing, so that the server has nothing of it to forget. */
    public boolean isEmpty() {
        forgetRevoked();
        return owned.isEmpty();
    }

    /** Reads the offsets although nothing is to be written. */
    public <X extends Exception> void verify(OffsetStore<X> store) throws X {
        unsure = true;
        readIfUnsure(store);
    }

    /** Reads the offsets again after an attempt whose commit is in doubt. Gives up the partitions that have others. */
    private <X extends Exception> void readIfUnsure(OffsetStore<X> store) throws X {
        forgetRevoked();
        if (!unsure) {
            return;
        }
        Map<TopicPartition, StoredOffset> present =
                store.read(owned.keySet().stream().map(Progress::partition).toList());
        owned.replaceAll((progress, mine) -> {
            StoredOffset theirs = present.get(progress.partition());
            if (theirs != null
                    && theirs.generation() == mine.generation()
                    && theirs.nextOffset() >= mine.nextOffset()) {
                return theirs;
            }
            boolean isClaimed = theirs != null && theirs.generation() > mine.generation();
            if (isClaimed) {
                log.info("{} has been claimed by another task: this task stops writing it", progress);
            }
            progress.giveUp(new GivenUp(mine.nextOffset(), isClaimed));
            return mine;
        });
        forgetRevoked();
        unsure = false;
    }

    /** The stored offset of a partition that this lane owns, as far as the lane knows. */
    public StoredOffset of(Progress progress) {
        return Optional.ofNullable(owned.get(progress)).orElseThrow();
    }

    /** The last of these documents for each partition. */
    public static Map<Progress, Document> lastOfEach(List<Document> documents) {
        Map<Progress, Document> last = new LinkedHashMap<>();
        for (Document document : documents) {
            last.merge(document.progress(), document, (a, b) -> a.offset() > b.offset() ? a : b);
        }
        return last;
    }

    /** Records that these documents are written. */
    public void moved(List<Document> documents) {
        lastOfEach(documents)
                .forEach((progress, last) -> owned.computeIfPresent(
                        progress,
                        (same, offset) -> offset.movedTo(last.offset() + 1, Optional.of(last.fingerprint()))));
    }

    /**
     * Raises next offsets for records that are done without a document.
     *
     * @return the next offsets of these partitions after that, without those that are given up. Of a partition that the
     *     server does not know there is nothing to raise
     */
    public <X extends Exception> Map<Progress, Long> store(OffsetStore<X> store, Map<Progress, Long> nextOffsets)
            throws X {
        readIfUnsure(store);
        List<Move> behind = new ArrayList<>();
        nextOffsets.forEach((progress, next) -> {
            StoredOffset offset = owned.get(progress);
            if (offset != null && offset.nextOffset() < next) {
                behind.add(new Move(progress.partition(), offset, next));
            }
        });
        if (!behind.isEmpty()) {
            unsure = true;
            if (store.raise(behind) == behind.size()) {
                unsure = false;
                nextOffsets.forEach((progress, next) -> owned.computeIfPresent(
                        progress,
                        (same, offset) ->
                                offset.nextOffset() < next ? offset.movedTo(next, offset.lastRecord()) : offset));
            }
            readIfUnsure(store);
        }
        Map<Progress, Long> stored = new HashMap<>();
        nextOffsets.forEach((progress, next) -> {
            if (!progress.isRevoked()) {
                StoredOffset offset = owned.get(progress);
                stored.put(progress, offset == null ? next : offset.nextOffset());
            }
        });
        return stored;
    }

    /** Records that the result of the last attempt is unknown. */
    public void doubt() {
        unsure = true;
    }

    /**
     * Reads the offsets after the server refused to move them.
     *
     * @return whether they differ from what this lane knew: an abandoned attempt was committed after all, another task has
     *     claimed a partition, or the server was restored to an older state
     */
    public <X extends Exception> boolean isRefuted(OffsetStore<X> store) throws X {
        Map<Progress, StoredOffset> before = Map.copyOf(owned);
        verify(store);
        return !owned.equals(before);
    }

    /** Any thread: how many documents were skipped because their offsets show that they are written. */
    public long recognised() {
        return recognised.sum();
    }
}
