package io.tidegate.connect.common.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;

/** A dead letter queue in memory that confirms at once, or when the test says so. One thread. */
public final class FakeErrantRecordReporter implements ErrantRecordReporter {
    private final List<Report> reports = new ArrayList<>();
    private boolean confirmsAtOnce = true;

    /** One record that was reported, and the confirmation that its reporter waits for. */
    public record Report(SinkRecord record, Throwable error, CompletableFuture<Void> confirmation) {}

    @Override
    public Future<Void> report(SinkRecord record, Throwable error) {
        CompletableFuture<Void> confirmation = new CompletableFuture<>();
        reports.add(new Report(record, error, confirmation));
        if (confirmsAtOnce) {
            confirmation.complete(null);
        }
        return confirmation;
    }

    /** From now on nothing is confirmed before {@link #confirmAll}. */
    public FakeErrantRecordReporter holdConfirmations() {
        confirmsAtOnce = false;
        return this;
    }

    public void confirmAll() {
        reports.forEach(report -> report.confirmation().complete(null));
    }

    public void failAll(Throwable cause) {
        reports.forEach(report -> report.confirmation().completeExceptionally(cause));
    }

    public List<Report> reports() {
        return List.copyOf(reports);
    }

    public List<Long> offsets() {
        return reports.stream().map(report -> report.record().kafkaOffset()).toList();
    }
}
