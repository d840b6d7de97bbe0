package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.connector.OwnPlugin;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.Candidates;
import io.tidegate.connect.bench.store.GrpcBulk;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.OpenSearchStore;
import io.tidegate.connect.bench.store.RawRecords;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Writes the same topic into OpenSearch in all ways that it has. */
@Command(
        name = "opensearch",
        description = "Writes the same topic into OpenSearch 3: the sink over HTTP, raw clients over HTTP and gRPC, and"
                + " pull-based ingestion, for which the index has a shard for each partition.")
final class OpenSearchScenario extends DrainScenario {
    /** As many as a task of the sink has requests in flight. */
    private static final int CONNECTIONS = 5;

    OpenSearchScenario(Path root) {
        super(root, List.of(1), 4, "opensearch", "opensearch-auto");
    }

    @Override
    public List<Candidate> candidates(Candidates make) throws ToolException, InterruptedException {
        List<Candidate> all = new ArrayList<>();
        MeasuredStore store = make.bed().stores().get(0);
        int port = make.bed().store(OpenSearchStore.class).orElseThrow().node().grpcPort();
        RawRecords records = make.records(plan().source());
        for (ConnectorSpec one : plan().specs()) {
            ConnectorSpec spec = one.with(
                    one.name(), Map.of("index.settings.number_of_shards", Integer.toString(plan().partitions())));
            boolean automatic = "none".equals(spec.config().get("document.id"));
            plan().tasks().forEach(tasks -> all.add(make.connector(spec, tasks)));
            all.add(make.raw(store, spec, store.rawWriter().apply(records.of(spec.config())), CONNECTIONS));
            all.add(make.raw(store, spec, new GrpcBulk(port, records, automatic), CONNECTIONS));
            if (!automatic) {
                all.add(make.pull(spec));
            }
        }
        ConnectorSpec noOp = OwnPlugin.noOpSink(root());
        plan().tasks().forEach(tasks -> all.add(make.connector(noOp, tasks)));
        return all;
    }
}
