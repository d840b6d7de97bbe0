package io.tidegate.connect.bench.drain;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.store.OpenSearchStore;
import io.tidegate.connect.bench.testbed.Recorder;
import io.tidegate.connect.bench.testbed.Series;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.StoreProbe;
import io.tidegate.connect.lab.store.Table;
import java.util.Map;
import java.util.Optional;

/**
 * OpenSearch's pull-based ingestion: the index reads the topic, without a worker. Each shard reads one partition, and the
 * offsets are the ids.
 */
final class PullCandidate implements Candidate {
    private static final String SOURCE = "index.settings.ingestion_source.";

    private final Candidates common;
    private final OpenSearchStore store;
    private final String indexDefinition;
    private final CandidateInfo entrant;

    PullCandidate(Candidates common, ConnectorSpec spec) {
        this.common = common;
        store = common.bed().store(OpenSearchStore.class).orElseThrow();
        indexDefinition = spec.with(
                        spec.name(),
                        Map.of(
                                SOURCE + "type",
                                "kafka",
                                SOURCE + "pointer.init.reset",
                                "earliest",
                                SOURCE + "mapper_type",
                                "raw_payload",
                                SOURCE + "param.topic",
                                common.topic().name(),
                                SOURCE + "param.bootstrap_servers",
                                common.bed().broker().bootstrapServers(),
                                "index.settings.replication.type",
                                "SEGMENT"))
                .indexDefinition();
        entrant = new CandidateInfo(
                "pull-based ingestion, 1 index", "raw-client", spec.store().label(), 1, Map.of());
    }

    @Override
    public CandidateInfo entrant() {
        return entrant;
    }

    @Override
    public Run run(int round) throws ToolException, InterruptedException {
        Topic topic = common.topic();
        Recorder recorder = new Recorder(common.bed(), () -> 0, store.servers(), Optional.empty());
        store.reset(Table.PLAIN, indexDefinition);
        try {
            new Drain(new PullProbe(store), recorder, topic.records(), 0, Optional::empty).untilAllIsStored();
        } catch (RunFailure e) {
            return Runs.failed(entrant, round, e.getMessage());
        }
        Series series = Series.of(recorder.samples(), topic.records());
        Map<Measure, Double> measures = series.measures(topic.records(), topic.bytes());
        measures.put(Measure.STORED_BYTES, (double) store.bytes() / topic.records());
        store.reset(Table.PLAIN, "");
        return Runs.ok(entrant, round, measures, series);
    }

    /** Counts the messages that the shards have processed. */
    private record PullProbe(OpenSearchStore store) implements StoreProbe {
        @Override
        public long progress() throws ToolException {
            String path = "/*/_stats?level=shards&filter_path=**.total_processed_count";
            return store.queries().ask("GET", path, "").findValues("total_processed_count").stream()
                    .mapToLong(count -> count.asLong())
                    .sum();
        }

        @Override
        public long count() throws ToolException {
            return store.count();
        }
    }
}
