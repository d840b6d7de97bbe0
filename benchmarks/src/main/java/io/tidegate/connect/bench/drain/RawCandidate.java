package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.RawWriter;
import io.tidegate.connect.bench.testbed.CpuTime;
import io.tidegate.connect.bench.testbed.Recorder;
import io.tidegate.connect.bench.testbed.Series;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.Store;
import io.tidegate.connect.lab.store.StoreProbe;
import io.tidegate.connect.lab.store.Table;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Measures what the rows alone cost the server. This JVM sends requests that were built in advance, one at a time on
 * each of as many connections as a connector has tasks. Its CPU time is reported as that of the worker.
 */
final class RawCandidate implements Candidate {
    private static final int CLOSE_SECONDS = 30;

    private final Candidates common;
    private final Topic topic;
    private final Store store;
    private final String indexDefinition;
    private final RawWriter writer;
    private final CandidateInfo entrant;

    RawCandidate(Candidates common, MeasuredStore measured, ConnectorSpec spec, RawWriter writer, int connections) {
        this.common = common;
        topic = common.topic();
        store = measured.store();
        indexDefinition = spec.indexDefinition();
        this.writer = writer;
        String label = writer.label() + spec.indexSettings() + ", " + connections
                + (connections == 1 ? " connection" : " connections");
        entrant = new CandidateInfo(label, "raw-client", measured.kind().label(), connections, Map.of());
    }

    @Override
    public CandidateInfo entrant() {
        return entrant;
    }

    @Override
    public Run run(int round) throws ToolException, InterruptedException {
        store.reset(Table.PLAIN, indexDefinition);
        AtomicLong claimed = new AtomicLong();
        AtomicLong written = new AtomicLong();
        AtomicReference<String> failure = new AtomicReference<>("");
        Recorder recorder = new Recorder(common.bed(), CpuTime::own, store.servers(), Optional.empty());
        ExecutorService threads = Executors.newFixedThreadPool(entrant.tasks());
        try {
            for (int i = 0; i < entrant.tasks(); i++) {
                threads.execute(() -> write(claimed, written, failure));
            }
            Drain drain = new Drain(
                    new WrittenProbe(written, store), recorder, topic.records(), 0, () -> Optional.of(failure.get())
                            .filter(text -> !text.isEmpty()));
            drain.untilAllIsStored();
        } catch (RunFailure e) {
            return Runs.failed(entrant, round, e.getMessage());
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        }
        Series series = Series.of(recorder.samples(), topic.records());
        Map<Measure, Double> measures = series.measures(topic.records(), topic.bytes());
        measures.put(Measure.REQUEST_RECORDS, (double) writer.batch());
        measures.put(Measure.STORED_BYTES, (double) store.bytes() / topic.records());
        return Runs.ok(entrant, round, measures, series);
    }

    void write(AtomicLong claimed, AtomicLong written, AtomicReference<String> failure) {
        try (RawWriter.Session session = writer.open()) {
            while (!Thread.currentThread().isInterrupted()) {
                long from = claimed.getAndAdd(writer.batch());
                int rows = (int) Math.min(writer.batch(), topic.records() - from);
                if (rows <= 0) {
                    return;
                }
                session.write(from, rows);
                written.addAndGet(rows);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) { // such as a lack of memory
            failure.compareAndSet("", String.valueOf(e));
        }
    }

    /** Knows the written records without asking the server. The final count comes from the store. */
    private record WrittenProbe(AtomicLong written, Store store) implements StoreProbe {
        @Override
        public long progress() {
            return written.get();
        }

        @Override
        public long count() throws ToolException {
            return store.count();
        }

        @Override
        public int connections() throws ToolException {
            return store.connections();
        }
    }
}
