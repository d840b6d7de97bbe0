package io.tidegate.connect.common.task;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.testing.Blocked;
import io.tidegate.connect.common.value.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * One lane's way to a server that is slow, fails, hangs, refuses poison, and takes nothing, or little, for one destination for
 * a while, all at random.
 */
final class FlakyWriter implements BatchWriter {
    /** How a server says that it will not take poison. */
    enum Refuses {
        /** The whole batch, without a hint. */
        BATCH,
        /** The whole batch, naming the first culprit. */
        BATCH_NAMING_FIRST,
        /** Each poison by name; the others are written. */
        EACH
    }

    private static final long LONGEST_HANG_MS = 3;

    private final Ledger ledger;
    private final Random random;
    private final Refuses refuses;
    private final double failureRate;
    private final boolean lastWriteWins;
    private final Semaphore aborts = new Semaphore(0);
    private final AtomicBoolean inUse = new AtomicBoolean();
    private Optional<String> closed = Optional.empty(); // the destination
    private int closedFor; // attempts

    FlakyWriter(Ledger ledger, Random random, Refuses refuses, double failureRate, boolean lastWriteWins) {
        this.ledger = ledger;
        this.random = random;
        this.refuses = refuses;
        this.failureRate = failureRate;
        this.lastWriteWins = lastWriteWins;
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        if (documents.isEmpty() || !inUse.compareAndSet(false, true)) {
            ledger.violation("an attempt with " + documents.size() + " documents while another one is under way");
        }
        try {
            takeTime();
            return attempt(documents);
        } finally {
            inUse.set(false);
        }
    }

    private void takeTime() {
        if (random.nextInt(3) == 0) {
            LockSupport.parkNanos(random.nextInt(40_000));
        }
    }

    private List<Refusal> attempt(List<Document> documents) throws WriteException {
        if (closed.isPresent()) {
            return answerInPart(documents);
        }
        if (random.nextDouble() >= failureRate) {
            return answer(documents);
        }
        switch (random.nextInt(10)) {
            case 8, 9 -> {
                closed = Optional.of(
                        documents.get(random.nextInt(documents.size())).destination());
                closedFor = 1 + random.nextInt(6);
                return answerInPart(documents);
            }
            case 0, 1, 2 -> throw failure(documents);
            case 3, 4, 5 -> {
                return takeSome(documents);
            }
            case 6 -> {
                hang();
                throw lostAnswer(documents);
            }
            default -> throw lostAnswer(documents);
        }
    }

    /** What is for other destinations than the closed one is answered as ever. */
    private List<Refusal> answerInPart(List<Document> documents) throws WriteException {
        String destination = closed.orElseThrow();
        if (--closedFor <= 0) {
            closed = Optional.empty();
        }
        if (refuses != Refuses.EACH && documents.stream().anyMatch(this::isPoison)) {
            return answer(documents);
        }
        List<Document> theirs = documents.stream()
                .filter(document -> document.destination().equals(destination))
                .toList();
        List<Document> left = new ArrayList<>();
        List<Document> taken = new ArrayList<>(documents);
        int prefix = random.nextInt(3) == 0 ? random.nextInt(theirs.size() + 1) : 0;
        for (int i = 0; i < theirs.size(); i++) {
            if (lastWriteWins ? i >= prefix || random.nextBoolean() : i >= prefix) {
                left.add(theirs.get(i));
            }
        }
        taken.removeAll(left);
        List<Refusal> refusals = writeGood(taken);
        if (left.isEmpty()) {
            return refusals;
        }
        throw Blocked.of(Map.of(destination, "blocked"), "blocked", left, refusals);
    }

    private void hang() {
        try {
            aborts.drainPermits();
            boolean unused = aborts.tryAcquire(random.nextInt((int) LONGEST_HANG_MS * 1_000), TimeUnit.MICROSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static WriteException failure(List<Document> documents) {
        return WriteException.ofAll(Failure.TRANSIENT, "down", new IOException("down"), documents);
    }

    /** What the server would take may be written, but nobody learns of it. */
    private WriteException lostAnswer(List<Document> documents) {
        if (random.nextBoolean()
                && (refuses == Refuses.EACH || documents.stream().noneMatch(this::isPoison))) {
            documents.stream().filter(document -> !isPoison(document)).forEach(ledger::write);
        }
        return failure(documents);
    }

    private List<Refusal> takeSome(List<Document> documents) throws WriteException {
        List<Document> taken = new ArrayList<>();
        List<Document> left = new ArrayList<>();
        int prefix = random.nextInt(documents.size() + 1);
        for (int i = 0; i < documents.size(); i++) {
            boolean take = lastWriteWins ? random.nextBoolean() : i < prefix;
            (take ? taken : left).add(documents.get(i));
        }
        if (left.isEmpty()) {
            return answer(documents);
        }
        throw WriteException.ofSome(Failure.TRANSIENT, "busy", null, left, writeGood(taken), Optional.empty());
    }

    private List<Refusal> answer(List<Document> documents) throws WriteException {
        Optional<Document> culprit = documents.stream().filter(this::isPoison).findFirst();
        if (culprit.isEmpty() || refuses == Refuses.EACH) {
            return writeGood(documents);
        }
        if (refuses == Refuses.BATCH || documents.size() == 1) {
            throw WriteException.ofAll(Failure.REJECTED, "poison", new IOException("poison"), documents);
        }
        List<Document> others =
                documents.stream().filter(each -> each != culprit.get()).toList();
        throw WriteException.ofSome(
                Failure.REJECTED, "poison", null, others, List.of(refusal(culprit.get())), Optional.empty());
    }

    private List<Refusal> writeGood(List<Document> documents) {
        List<Refusal> refusals = new ArrayList<>();
        for (Document document : documents) {
            if (isPoison(document)) {
                refusals.add(refusal(document));
            } else {
                ledger.write(document);
            }
        }
        return refusals;
    }

    private static Refusal refusal(Document document) {
        return new Refusal(document, new RefusedException("poison"));
    }

    private boolean isPoison(Document document) {
        return ledger.entry(document).kind == Ledger.Kind.POISON;
    }

    @Override
    public long kept() {
        return 0;
    }

    @Override
    public Optional<ServerOffsets> offsets() {
        return Optional.empty();
    }

    @Override
    public void abort() {
        aborts.release();
    }

    @Override
    public void close() {
        // holds nothing
    }
}
