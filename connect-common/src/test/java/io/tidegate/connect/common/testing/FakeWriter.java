package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A writer into memory that does as it is told: first the scripted attempts, one after the other, then plain writing with
 * whatever poison was named. Any thread.
 */
public final class FakeWriter implements BatchWriter {
    /** Longer than any test waits for anything. */
    private static final long LONGEST_SECONDS = 20;

    /** Of a server that knows nothing of any partition. */
    private static final ServerOffsets OFFSETS = new ServerOffsets() {
        @Override
        public Map<Progress, Optional<StartingPoint>> claim(Collection<Progress> partitions) {
            Map<Progress, Optional<StartingPoint>> points = new HashMap<>();
            partitions.forEach(partition -> points.put(partition, Optional.empty()));
            return points;
        }

        @Override
        public Map<Progress, Long> store(Map<Progress, Long> nextOffsets) {
            return nextOffsets;
        }

        @Override
        public void verify() {
            // knows nothing
        }

        @Override
        public long recognised() {
            return 0;
        }
    };

    private final Queue<Attempt> script = new ArrayDeque<>();
    private final List<List<Document>> attempts = new ArrayList<>();
    private final List<Document> written = new ArrayList<>();
    private final Set<Long> poison = new HashSet<>();
    private boolean namesPoison;
    private int mostRows = Integer.MAX_VALUE;
    private int mostUncut = Integer.MAX_VALUE;
    private Optional<String> down = Optional.empty();
    private final Set<String> closed = new HashSet<>();
    private final CountDownLatch aborted = new CountDownLatch(1);
    private int aborts;
    private int closes;

    /** What one attempt does. */
    @FunctionalInterface
    public interface Attempt {
        List<Refusal> on(List<Document> documents) throws WriteException;
    }

    /** The next attempt that has no script yet. */
    public synchronized FakeWriter then(Attempt attempt) {
        script.add(attempt);
        return this;
    }

    /** The next attempt fails as a whole. */
    public FakeWriter thenFail(Failure failure, String message) {
        return then(documents -> {
            throw WriteException.ofAll(failure, message, new IOException(message), documents);
        });
    }

    /** The next attempt fails as a whole, and the server asks to be left alone. */
    public FakeWriter thenFailFor(Duration retryAfter, String message) {
        return then(documents -> {
            throw WriteException.ofSome(
                    Failure.TRANSIENT, message, null, documents, List.of(), Optional.of(retryAfter));
        });
    }

    /** The next attempt writes only the documents at these offsets; the others may be tried again. */
    public FakeWriter thenWriteOnly(String message, Long... offsets) {
        Set<Long> taken = Set.of(offsets);
        return then(documents -> {
            List<Document> unwritten = new ArrayList<>();
            for (Document document : documents) {
                if (taken.contains(document.offset())) {
                    store(document);
                } else {
                    unwritten.add(document);
                }
            }
            throw WriteException.ofSome(Failure.TRANSIENT, message, null, unwritten, List.of(), Optional.empty());
        });
    }

    /** The next attempt hangs until it is aborted, and fails then without having written anything. */
    public FakeWriter thenHangUntilAborted() {
        return then(documents -> {
            await(aborted);
            throw WriteException.ofAll(Failure.TRANSIENT, "aborted", new IOException("aborted"), documents);
        });
    }

    /** The next attempt writes everything. */
    public FakeWriter thenWriteAll() {
        return then(documents -> write(documents, true));
    }

    /** The next attempt waits for the latch and then writes. */
    public FakeWriter thenWaitFor(CountDownLatch latch) {
        return then(documents -> {
            await(latch);
            return write(documents, true);
        });
    }

    /** From now on more documents than these are too much at once. */
    public synchronized void takeAtMost(int rows) {
        mostRows = rows;
    }

    /** From now on the connection is lost while more documents than these are written. */
    public synchronized void cutMoreThan(int rows) {
        mostUncut = rows;
    }

    /** From now on every attempt fails until {@link #comeUp}. */
    public synchronized void goDown(String message) {
        down = Optional.of(message);
    }

    public synchronized void comeUp() {
        down = Optional.empty();
    }

    /** From now on nothing is taken for this destination, until {@link #open}. */
    public synchronized FakeWriter closing(String destination) {
        closed.add(destination);
        return this;
    }

    public synchronized void open(String destination) {
        closed.remove(destination);
    }

    /** A batch that holds one of these offsets is rejected as a whole, and nothing of it is written. */
    public synchronized FakeWriter rejectingBatchesWith(Long... offsets) {
        poison.addAll(List.of(offsets));
        return this;
    }

    /** The documents at these offsets are refused by name, their neighbours are written. */
    public synchronized FakeWriter refusing(Long... offsets) {
        poison.addAll(List.of(offsets));
        namesPoison = true;
        return this;
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        Optional<Attempt> scripted;
        synchronized (this) {
            attempts.add(List.copyOf(documents));
            if (down.isPresent()) {
                throw WriteException.ofAll(Failure.TRANSIENT, down.get(), new IOException(down.get()), documents);
            }
            if (documents.size() > mostUncut) {
                throw WriteException.ofAll(Failure.TRANSIENT, "08006", new IOException("reset"), documents);
            }
            if (documents.size() > mostRows) {
                throw WriteException.ofAll(Failure.TOO_MUCH, "too much", new IOException("too much"), documents);
            }
            scripted = Optional.ofNullable(script.poll());
        }
        return scripted.isPresent() ? scripted.get().on(documents) : write(documents, namesPoison());
    }

    private synchronized List<Refusal> write(List<Document> documents, boolean byName) throws WriteException {
        if (!byName && documents.stream().anyMatch(each -> poison.contains(each.offset()))) {
            String message = "the batch holds poison";
            throw WriteException.ofAll(Failure.REJECTED, message, new IOException(message), documents);
        }
        List<Refusal> refusals = new ArrayList<>();
        List<Document> left = new ArrayList<>();
        for (Document document : documents) {
            if (closed.contains(document.destination())) {
                left.add(document);
            } else if (poison.contains(document.offset())) {
                refusals.add(new Refusal(document, new RefusedException("poison at " + document.offset())));
            } else {
                store(document);
            }
        }
        if (!left.isEmpty()) {
            Map<String, String> reasons = new LinkedHashMap<>();
            left.forEach(document -> reasons.put(document.destination(), "blocked"));
            throw Blocked.of(reasons, left.size() + " documents are blocked", left, refusals);
        }
        return refusals;
    }

    private synchronized void store(Document document) {
        written.add(document);
    }

    private synchronized boolean namesPoison() {
        return namesPoison;
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody let the attempt go on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public Optional<ServerOffsets> offsets() {
        return Optional.of(OFFSETS);
    }

    @Override
    public long kept() {
        return 0;
    }

    @Override
    public synchronized void abort() {
        aborts++;
        aborted.countDown();
    }

    @Override
    public synchronized void close() {
        closes++;
    }

    /** Every attempt's documents, in order. */
    public synchronized List<List<Document>> attempts() {
        return List.copyOf(attempts);
    }

    /** The offsets that each attempt was given. */
    public synchronized List<List<Long>> attemptedOffsets() {
        return attempts.stream()
                .map(attempt -> attempt.stream().map(Document::offset).toList())
                .toList();
    }

    public synchronized List<Document> written() {
        return List.copyOf(written);
    }

    public synchronized List<Long> writtenOffsets() {
        return written.stream().map(Document::offset).toList();
    }

    public synchronized int aborts() {
        return aborts;
    }

    public synchronized int closes() {
        return closes;
    }
}
