package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import java.util.List;
import java.util.Optional;

/** Counts the attempts of one lane. The lane's thread uses it. */
final class LaneMetrics implements AttemptObserver {
    private final TaskMetrics metrics;
    private boolean failing;

    LaneMetrics(BatchWriter writer, TaskMetrics metrics) {
        this.metrics = requireNonNull(metrics, "metrics");
        metrics.keeping(writer::kept);
        writer.offsets().ifPresent(offsets -> metrics.recognising(offsets::recognised));
    }

    @Override
    public void attempted(List<Document> attempted, List<Refusal> named, Optional<WriteException> left, long nanos) {
        List<Document> unwritten = left.map(WriteException::unwritten).orElse(List.of());
        int rows = attempted.size() - unwritten.size() - named.size();
        if (rows > 0) {
            long bytes = jsonBytes(attempted) - jsonBytes(unwritten);
            for (Refusal refusal : named) {
                bytes -= refusal.document().json().length();
            }
            metrics.wrote(attempted, rows, bytes, nanos);
        }
        left.ifPresentOrElse(e -> failed(e, unwritten.size() == attempted.size()), () -> setFailing(false));
    }

    private static long jsonBytes(List<Document> documents) {
        long bytes = 0;
        for (Document document : documents) {
            bytes += document.json().length();
        }
        return bytes;
    }

    private void failed(WriteException e, boolean nothingWritten) {
        metrics.failed(e.failure());
        switch (e.failure()) {
            case BUSY -> {} // shows nothing about the server
            case TRANSIENT -> setFailing(true);
            case DESTINATION -> setFailing(nothingWritten);
            case TOO_MUCH -> setFailing(e.unwritten().size() <= 1); // nothing smaller can be sent
            case REJECTED, SKIPPED, FATAL -> setFailing(false);
        }
    }

    private void setFailing(boolean now) {
        if (now != failing) {
            failing = now;
            metrics.setWriterFailing(now);
        }
    }
}
