package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Counts and times each attempt of a writer. One lane's thread, except for {@link #abort()}. */
final class MeasuredWriter implements BatchWriter {
    private final BatchWriter writer;
    private final TaskMetrics metrics;
    private boolean failing;

    MeasuredWriter(BatchWriter writer, TaskMetrics metrics) {
        this.writer = requireNonNull(writer, "writer");
        this.metrics = requireNonNull(metrics, "metrics");
        metrics.keeping(writer::kept);
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        long begin = metrics.nanoTime();
        try {
            List<Refusal> refusals = writer.write(documents);
            wrote(documents, List.of(), refusals, begin);
            failingOrNot(false);
            return refusals;
        } catch (WriteException e) {
            wrote(documents, e.unwritten(), e.refusals(), begin);
            metrics.failed(e.failure());
            boolean nothingWritten = e.unwritten().size() == documents.size();
            switch (e.failure()) {
                case BUSY -> {} // says nothing about the server
                case TRANSIENT -> failingOrNot(true);
                case DESTINATION -> failingOrNot(nothingWritten);
                case TOO_MUCH, REJECTED, FATAL -> failingOrNot(false);
            }
            throw e;
        }
    }

    private void wrote(List<Document> documents, List<Document> unwritten, List<Refusal> refusals, long begin) {
        int rows = documents.size() - unwritten.size() - refusals.size();
        if (rows <= 0) {
            return;
        }
        long bytes = jsonBytes(documents) - jsonBytes(unwritten);
        for (Refusal refusal : refusals) {
            bytes -= refusal.document().json().length();
        }
        metrics.wrote(documents, rows, bytes, metrics.nanoTime() - begin);
    }

    private static long jsonBytes(List<Document> documents) {
        long bytes = 0;
        for (Document document : documents) {
            bytes += document.json().length();
        }
        return bytes;
    }

    private void failingOrNot(boolean now) {
        if (now != failing) {
            failing = now;
            metrics.failingOrNot(now);
        }
    }

    @Override
    public long kept() {
        return writer.kept();
    }

    @Override
    public void claim(Collection<Progress> partitions) throws WriteException {
        writer.claim(partitions);
    }

    @Override
    public void store(Map<Progress, Long> nextOffsets) throws WriteException {
        writer.store(nextOffsets);
    }

    @Override
    public void verify() throws WriteException {
        writer.verify();
    }

    @Override
    public void abort() {
        writer.abort();
    }

    @Override
    public void close() {
        writer.close();
    }
}
