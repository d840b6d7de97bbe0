package io.tidegate.connect.common.books;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.books.Books.Move;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lane's hold on the offsets of its partitions. A document is written only together with the next offset, and only
 * by the present owner of the partition. The books decide. If they are behind what this lane wrote, the server was
 * restored to an older state, and Kafka delivers the records again from there.
 */
public final class HeldOffsets {
    /** How long a running task may take to learn that it has lost a partition: the time of some polls. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(HeldOffsets.class);

    private final LongSupplier nanoTime;
    private final Map<Progress, BookEntry> held = new HashMap<>();
    private final Map<TopicPartition, BookEntry> claimed = new HashMap<>(); // not yet held
    private final Map<Progress, Long> lostSince = new HashMap<>();
    private final Map<Progress, BookEntry> lost = new HashMap<>(); // to be claimed again
    private boolean unsure;

    public HeldOffsets(LongSupplier nanoTime) {
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
    }

    /** Claims partitions that were just assigned, and determines where each continues. */
    public <X extends Exception> void claim(Books<X> books, Collection<Progress> partitions) throws X {
        forgetRevoked();
        List<Progress> unknown = new ArrayList<>();
        for (Progress progress : partitions) {
            BookEntry entry = claimed.get(progress.partition());
            if (entry != null && isToStartAt(progress, entry)) {
                hold(progress, entry);
            } else if (!held.containsKey(progress)) {
                unknown.add(progress);
            }
        }
        if (unknown.isEmpty()) {
            return;
        }
        Map<TopicPartition, BookEntry> known =
                books.claimKnown(unknown.stream().map(Progress::partition).toList());
        for (Progress progress : unknown) {
            BookEntry entry = known.get(progress.partition());
            if (entry == null) {
                claimed.remove(progress.partition());
                progress.claimed(OptionalLong.empty());
            } else {
                startAt(progress, entry);
            }
        }
    }

    /** Holds a partition if its deliveries start where the books say. Otherwise asks Kafka to deliver from there. */
    private void startAt(Progress progress, BookEntry entry) {
        BookEntry before = lost.remove(progress);
        boolean isUnchanged = before != null && before.startingPoint().equals(entry.startingPoint());
        if (isUnchanged || isToStartAt(progress, entry)) {
            hold(progress, entry);
        } else {
            claimed.put(progress.partition(), entry);
            progress.restartAt(entry.startingPoint());
        }
    }

    private static boolean isToStartAt(Progress progress, BookEntry entry) {
        return progress.start().equals(Optional.of(entry.startingPoint()));
    }

    private void hold(Progress progress, BookEntry entry) {
        held.put(progress, entry);
        claimed.remove(progress.partition());
        progress.beginsAt(entry.nextOffset());
        progress.claimed(OptionalLong.of(entry.nextOffset()));
    }

    /**
     * Returns the documents that are not written yet. Claims their partitions first if necessary.
     *
     * @throws FencedException when a partition has another owner
     */
    public <X extends Exception> List<Document> unwritten(Books<X> books, List<Document> documents)
            throws X, FencedException {
        forgetRevoked();
        if (unsure) {
            readAgain(books);
        }
        claimNew(books, documents);
        List<Document> unwritten = new ArrayList<>(documents.size());
        for (Document document : documents) {
            BookEntry entry = held.get(document.progress());
            if (entry == null) {
                continue; // it is delivered again from where the books say
            }
            if (document.offset() >= entry.nextOffset()) {
                unwritten.add(document);
            } else {
                document.progress().redeliveries().countRecognised(1);
            }
        }
        return unwritten;
    }

    private void forgetRevoked() {
        held.keySet().removeIf(Progress::isRevoked);
        lostSince.keySet().removeIf(Progress::isRevoked);
        lost.keySet().removeIf(Progress::isRevoked);
    }

    private <X extends Exception> void claimNew(Books<X> books, List<Document> documents) throws X {
        Map<Progress, Long> first = new LinkedHashMap<>();
        for (Document document : documents) {
            if (!held.containsKey(document.progress()) && !document.progress().isRevoked()) {
                first.putIfAbsent(document.progress(), document.offset());
            }
        }
        if (!first.isEmpty()) {
            claimFrom(books, first);
        }
    }

    /** Claims these partitions. A partition starts at its offset here only if the books do not know it. */
    private <X extends Exception> void claimFrom(Books<X> books, Map<Progress, Long> first) throws X {
        Map<TopicPartition, Long> unknown = new LinkedHashMap<>();
        for (Map.Entry<Progress, Long> partition : first.entrySet()) {
            BookEntry known = claimed.get(partition.getKey().partition());
            if (known == null) {
                unknown.put(partition.getKey().partition(), partition.getValue());
            } else {
                startAt(partition.getKey(), known);
            }
        }
        if (unknown.isEmpty()) {
            return;
        }
        Map<TopicPartition, BookEntry> entries = books.claim(unknown);
        for (Progress progress : first.keySet()) {
            BookEntry entry = entries.get(progress.partition());
            if (entry != null && entry.isNew()) {
                log.info("{} begins at offset {}: the table knew nothing of it", progress, entry.nextOffset());
                hold(progress, entry);
            } else if (entry != null) {
                startAt(progress, entry);
            }
        }
    }

    /** Whether this lane holds no partition, so that the books have nothing of it to forget. */
    public boolean isEmpty() {
        forgetRevoked();
        return held.isEmpty();
    }

    /**
     * Reads the books although nothing is to be written. A partition that they are behind with starts again.
     *
     * @throws FencedException when a partition has another owner
     */
    public <X extends Exception> void verify(Books<X> books) throws X, FencedException {
        forgetRevoked();
        unsure = true;
        readAgain(books);
    }

    /** Reads the books after an attempt whose commit is in doubt. */
    private <X extends Exception> void readAgain(Books<X> books) throws X, FencedException {
        Map<TopicPartition, BookEntry> present =
                books.read(held.keySet().stream().map(Progress::partition).toList());
        for (Progress progress : List.copyOf(held.keySet())) {
            compare(progress, held.get(progress), Optional.ofNullable(present.get(progress.partition())));
        }
        unsure = false;
    }

    /** Generations and offsets only rise. If one is lower than before, the server was restored to an older state. */
    private void compare(Progress progress, BookEntry mine, Optional<BookEntry> present) throws FencedException {
        if (present.isEmpty()) {
            log.warn(
                    "{}: the server no longer has its offsets: it has come back older than it was. Records from {} on,"
                            + " where this task began, are delivered and written again; of earlier ones nothing is known",
                    progress,
                    progress.begin());
            restart(progress, new StartingPoint(progress.begin(), Optional.empty()));
        } else if (present.get().generation() > mine.generation()) {
            lose(progress);
        } else if (present.get().generation() < mine.generation()
                || present.get().nextOffset() < mine.nextOffset()) {
            forgotten(progress, mine, present.get().startingPoint());
        } else {
            held.put(progress, present.get());
            progress.stored(present.get().nextOffset());
        }
    }

    private void forgotten(Progress progress, BookEntry mine, StartingPoint point) {
        log.warn(
                "{}: records below offset {} were written, but the server does not know them: it has come back older"
                        + " than it was. Records from {} on are delivered and written again",
                progress,
                mine.nextOffset(),
                point.nextOffset());
        restart(progress, point);
    }

    private void restart(Progress progress, StartingPoint point) {
        held.remove(progress);
        progress.restartAt(point);
    }

    /**
     * A task that has lost a partition learns this with its next poll and then drops these documents. If it does not,
     * this task is the owner. The other claim was then a late one: of a worker that was paused, or of a statement of
     * this task that was believed lost.
     */
    private void lose(Progress progress) throws FencedException {
        long now = nanoTime.getAsLong();
        long since = lostSince.computeIfAbsent(progress, first -> now);
        if (now - since < PATIENCE.toNanos()) {
            throw new FencedException(progress);
        }
        lostSince.remove(progress);
        lost.put(progress, held.remove(progress));
        log.warn(
                "{} was claimed by another task {} s ago and is still this one's: claiming it again",
                progress,
                PATIENCE.toSeconds());
    }

    /** The entry of a partition that this lane holds, as far as the lane knows. */
    public BookEntry entry(Progress progress) {
        return Optional.ofNullable(held.get(progress)).orElseThrow();
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
                .forEach((progress, last) -> held.computeIfPresent(progress, (same, entry) -> {
                    progress.stored(last.offset() + 1);
                    return entry.movedTo(last.offset() + 1, Optional.of(last.fingerprint()));
                }));
    }

    /** Raises next offsets for records that are done without a document. */
    public <X extends Exception> void store(Books<X> books, Map<Progress, Long> nextOffsets) throws X, FencedException {
        forgetRevoked();
        if (unsure) {
            readAgain(books);
        }
        List<Move> behind = nextOffsets.keySet().stream()
                .filter(each -> held.containsKey(each) && held.get(each).nextOffset() < nextOffsets.get(each))
                .map(each -> new Move(each.partition(), held.get(each), nextOffsets.get(each)))
                .toList();
        if (behind.isEmpty()) {
            return;
        }
        unsure = true;
        if (books.raise(behind) != behind.size()) {
            readAgain(books);
            return;
        }
        unsure = false;
        nextOffsets.forEach((progress, next) -> held.computeIfPresent(progress, (same, entry) -> {
            if (entry.nextOffset() >= next) {
                return entry;
            }
            progress.stored(next);
            return entry.movedTo(next, entry.lastRecord());
        }));
    }

    /** Records that the result of the last attempt is unknown. */
    public void doubt() {
        unsure = true;
    }

    /**
     * Reads the books after they refused to move.
     *
     * @return whether they differ from what this lane knew: either an abandoned attempt was committed after all, or the
     *     server was restored to an older state
     * @throws FencedException when a partition has another owner
     */
    public <X extends Exception> boolean isRefuted(Books<X> books) throws X, FencedException {
        Map<Progress, BookEntry> before = Map.copyOf(held);
        unsure = true;
        readAgain(books);
        return !held.equals(before);
    }
}
