package io.tidegate.connect.common.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.redrive.Redrive;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.apache.kafka.connect.sink.SinkRecord;

/** A target whose writers the test brings; records go by their topic, and by their key where they have one. */
public final class FakeTarget implements Target {
    private final IntFunction<? extends BatchWriter> writers;
    private final NullValues nullValues;
    private final boolean lastWriteWins;
    private boolean keepsOffsets;
    private DocumentMapper.Unwrapping unwrapping = DocumentMapper.Unwrapping.NONE;
    private RedriveSettings redrive = new RedriveSettings(false, 3);
    private boolean guardsDeletions;
    private boolean failsOnMissing;
    private final AtomicLong serverChanges = new AtomicLong();
    private int closes;
    private boolean hasContinued;

    public FakeTarget(IntFunction<? extends BatchWriter> writers) {
        this(writers, NullValues.IGNORE, false);
    }

    public FakeTarget(IntFunction<? extends BatchWriter> writers, NullValues nullValues, boolean lastWriteWins) {
        this.writers = writers;
        this.nullValues = nullValues;
        this.lastWriteWins = lastWriteWins;
    }

    @Override
    public DocumentMapper mapper() {
        return new DocumentMapper(
                        Records.topicsAsDestinations(),
                        FakeTarget::keyOf,
                        nullValues,
                        unwrapping,
                        UnaryOperator.identity())
                .redriving(Redrive.of(redrive, guardsDeletions));
    }

    /** From now on records are dead letters that are redriven at most so often. */
    public FakeTarget redriving(int attempts) {
        redrive = new RedriveSettings(true, attempts);
        return this;
    }

    /** From now on the server compares a redriven deletion with what it would delete. */
    public FakeTarget guardingDeletions() {
        guardsDeletions = true;
        return this;
    }

    /** From now on mappers unwrap records in this way. */
    public FakeTarget unwrapping(DocumentMapper.Unwrapping with) {
        unwrapping = with;
        return this;
    }

    /** From now on each put has this done with its records before one is mapped. */
    public FakeTarget preparing(Consumer<Collection<SinkRecord>> with) {
        return unwrapping(new DocumentMapper.Unwrapping() {
            @Override
            public SinkRecord apply(SinkRecord record) {
                return record;
            }

            @Override
            public void prepare(Collection<SinkRecord> records) {
                with.accept(records);
            }
        });
    }

    private static byte[] keyOf(SinkRecord record) {
        return record.key() == null ? Document.NO_KEY : record.key().toString().getBytes(UTF_8);
    }

    @Override
    public BatchWriter openWriter(int lane) {
        return writers.apply(lane);
    }

    /** From now on as if the server kept offsets. */
    public FakeTarget keepingOffsets() {
        keepsOffsets = true;
        return this;
    }

    @Override
    public boolean keepsOffsets() {
        return keepsOffsets;
    }

    /** From now on the task fails when Kafka no longer has what the server lost. */
    public FakeTarget failingOnMissing() {
        failsOnMissing = true;
        return this;
    }

    @Override
    public boolean failsOnMissing() {
        return failsOnMissing;
    }

    /** The connections find another server. */
    public void changeServer() {
        serverChanges.incrementAndGet();
    }

    @Override
    public long serverChanges() {
        return serverChanges.get();
    }

    @Override
    public boolean lastWriteWins() {
        return lastWriteWins;
    }

    @Override
    public List<Metric> metrics() {
        return List.of(new Metric("of-this-target", "", "A number of this target.", () -> 42));
    }

    @Override
    public void continues() {
        hasContinued = true;
    }

    /** Whether a task that has written before goes on with the target. */
    public boolean continued() {
        return hasContinued;
    }

    @Override
    public String description() {
        return "memory";
    }

    @Override
    public void close() {
        closes++;
    }

    /** How often the target was closed. */
    public int closes() {
        return closes;
    }
}
