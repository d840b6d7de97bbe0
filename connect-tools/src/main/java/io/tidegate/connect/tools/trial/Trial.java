package io.tidegate.connect.tools.trial;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.lane.Batch;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.records.Converted;
import io.tidegate.connect.tools.records.Preparation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Delivers records as a task with one lane would: the sink's mapper makes documents, and the core's delivery writes,
 * splits and refuses them. Only the writer is the target's trial. One thread uses it.
 */
final class Trial {
    /** How often batches are tried again: if the server is away or a lock is held, or in the two plainer ways to write. */
    private static final int MOST_PAUSES = 3;

    private final ConfiguredSink sink;
    private final AbstractConfig config;
    private final boolean isServerAsked;
    private final Map<String, RefusedException> refused = new HashMap<>(); // by place
    private final Map<String, Outcome> skipped = new HashMap<>(); // by place
    private final Map<String, Document> documents = new HashMap<>(); // by place
    private final List<String> notes = new ArrayList<>();
    private Optional<String> taskFailure = Optional.empty();

    Trial(ConfiguredSink sink, boolean isServerAsked) {
        this.sink = requireNonNull(sink, "sink");
        this.config = new AbstractConfig(sink.type().config(), sink.settings(), false);
        this.isServerAsked = isServerAsked;
    }

    /**
     * Tries records. Nothing is left on the server.
     *
     * @throws ToolException if the server cannot be asked
     */
    TrialResult of(List<Converted> records) throws ToolException, InterruptedException {
        if (isServerAsked) {
            checkServer();
        }
        try (Target target = sink.type().open(sink.settings());
                TrialWriter writer = target.openTrial(isServerAsked)) {
            Observed observed = new Observed();
            deliver(map(records, target), target, writer, observed);
            List<Tried> tried = records.stream()
                    .map(record -> tried(record, writer, observed))
                    .toList();
            notes.addAll(writer.limits());
            return new TrialResult(sink.name(), target.description(), tried, taskFailure, notes);
        } catch (KafkaException e) {
            throw new ToolException("the sink cannot be started: " + e.getMessage(), e);
        }
    }

    private void checkServer() throws ToolException {
        Optional<ServerCheck> wanted = sink.type().serverCheck(sink.settings());
        if (wanted.isEmpty()) {
            return;
        }
        try (ServerCheck check = wanted.get()) {
            for (ServerCheck.Finding finding : check.run()) {
                String message =
                        finding.problem().key() + ": " + finding.problem().message();
                if (finding.kind() == ServerCheck.Kind.UNAVAILABLE) {
                    throw new ToolException(message + ". Without the server, --offline shows the mapping only");
                }
                notes.add("Connect will not take this configuration: " + message);
            }
        }
    }

    private List<Document> map(List<Converted> records, Target target) throws ToolException, InterruptedException {
        DocumentMapper mapper = target.mapper();
        List<SinkRecord> delivered = records.stream()
                .filter(Converted.Delivered.class::isInstance)
                .map(each -> ((Converted.Delivered) each).record())
                .toList();
        new Preparation(mapper).prepare(delivered);
        Map<TopicPartition, Progress> progress = new HashMap<>();
        List<Document> mapped = new ArrayList<>();
        for (SinkRecord record : delivered) {
            TopicPartition partition = new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
            map(record, progress.computeIfAbsent(partition, each -> new Progress(each, 1)), mapper)
                    .ifPresent(mapped::add);
        }
        return mapped;
    }

    private Optional<Document> map(SinkRecord record, Progress progress, DocumentMapper mapper) {
        String place = place(record);
        try {
            Optional<Document> document = mapper.map(record, progress);
            document.ifPresentOrElse(each -> documents.put(place, each), () -> skipped.put(place, Outcome.SKIPPED));
            return document;
        } catch (RefusedException e) {
            refused.put(place, e);
            return Optional.empty();
        }
    }

    private void deliver(List<Document> mapped, Target target, TrialWriter writer, Observed observed)
            throws ToolException, InterruptedException {
        DeadLetters letters = new DeadLetters(Optional.of(this::refused), true, Clock.SYSTEM);
        Delivery delivery = new Delivery(
                writer,
                new Delivery.Rules(target.description(), false, target.separatesKeys(), target.errorOverrides()),
                new RetryPolicy(RetrySettings.from(config)),
                letters,
                Clock.SYSTEM,
                () -> 0,
                new PostponedDestinations(target.description(), Clock.SYSTEM),
                observed);
        int batchRows = LaneSettings.from(config).batchRows();
        for (int from = 0; from < mapped.size(); from += batchRows) {
            List<Document> some = mapped.subList(from, Math.min(mapped.size(), from + batchRows));
            Batch batch = Batch.of(some, target.lastWriteWins());
            try {
                if (!delivery.deliver(batch.documents(), batch::supersededBy, new Patience())) {
                    throw new ToolException(target.description() + " could not be asked: " + observed.lastFailure());
                }
                observed.ended(some, batch.documents());
            } catch (ConnectException e) {
                taskFailure = Optional.of(e.getMessage());
                break;
            } finally {
                letters.report();
            }
        }
    }

    private CompletableFuture<Void> refused(SinkRecord record, Throwable reason) {
        refused.put(place(record), (RefusedException) reason);
        return CompletableFuture.completedFuture(null);
    }

    /** Lets everything pass, but waits only a few times. */
    private static final class Patience implements Delivery.Gate {
        private int pauses;

        @Override
        public Optional<List<Document>> enter(List<Document> documents) {
            return Optional.of(documents);
        }

        @Override
        public void leave() {
            // Nobody waits for the end of an attempt.
        }

        @Override
        public boolean pause(Duration duration) throws InterruptedException {
            pauses++;
            Clock.SYSTEM.await(new CompletableFuture<>(), duration.toNanos());
            return pauses <= MOST_PAUSES;
        }

        @Override
        public boolean await(BooleanSupplier until) {
            throw new UnsupportedOperationException("nothing waits for the reports of refused records");
        }
    }

    private Tried tried(Converted record, TrialWriter writer, Observed observed) {
        String place = record.raw().topic() + "-" + record.raw().partition() + "@"
                + record.raw().offset();
        if (record instanceof Converted.Failed failed) {
            return Tried.without(place, Outcome.NOT_CONVERTED, Optional.of(reason(failed)));
        }
        if (record instanceof Converted.Dropped) {
            return Tried.without(place, Outcome.DROPPED, Optional.empty());
        }
        if (skipped.containsKey(place)) {
            return Tried.without(place, skipped.get(place), Optional.empty());
        }
        Document document = documents.get(place);
        Optional<RefusedException> refusal = Optional.ofNullable(refused.get(place));
        Outcome outcome = refusal.isPresent() ? Outcome.REFUSED : outcome(document, observed);
        return new Tried(
                place,
                outcome,
                refusal.map(RefusedReason::of)
                        .or(() -> outcome == Outcome.HELD ? observed.whyHeld(document) : Optional.empty()),
                refusal.map(RefusedException::facts).orElse(Map.of()),
                document == null ? Map.of() : writer.describe(document),
                document == null || document.isDelete()
                        ? Optional.empty()
                        : Optional.of(new String(
                                document.json().array(),
                                document.json().from(),
                                document.json().length(),
                                StandardCharsets.UTF_8)));
    }

    private Outcome outcome(Document document, Observed observed) {
        if (document == null) {
            return Outcome.NOT_REACHED;
        }
        if (observed.hasAccepted(document)) {
            return Outcome.WRITTEN;
        }
        if (observed.hasSkipped(document)) {
            return Outcome.SKIPPED;
        }
        if (observed.whyHeld(document).isPresent()) {
            return Outcome.HELD;
        }
        return observed.isReplaced(document) ? Outcome.REPLACED : Outcome.NOT_REACHED;
    }

    private static String reason(Converted.Failed failed) {
        String what = failed.stage() + " " + failed.executing().getName() + ": " + failed.error();
        Throwable cause = failed.error().getCause();
        return what
                + (cause == null ? "" : ", caused by " + cause)
                + (failed.isTolerable() ? "" : " (this fails the task, whatever errors.tolerance says)");
    }

    private static String place(SinkRecord record) {
        return record.originalTopic() + "-" + record.originalKafkaPartition() + "@" + record.originalKafkaOffset();
    }
}
