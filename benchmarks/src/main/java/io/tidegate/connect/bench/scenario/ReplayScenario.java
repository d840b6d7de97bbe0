package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.Candidates;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Figures;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.process.Folders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;

/**
 * Drains a backlog from the broker's own segments, and the same backlog from tiered storage. The tiered storage is
 * Kafka's local implementation for tests, so the result shows the cost of the broker and not that of a network.
 */
@Command(
        name = "replay",
        description = "Drains a backlog from the broker's own segments, and from tiered storage (here a local folder).")
final class ReplayScenario extends DrainScenario {
    private static final String TIERED = "bench-tiered";
    private static final int SEGMENT_BYTES = 4 << 20;
    private static final Duration MAX_OFFLOAD_TIME = Duration.ofMinutes(3);
    private static final long POLL_INTERVAL_MILLIS = 500;

    /** The share of records that must leave the broker. Its last segments always stay, because it still writes them. */
    private static final double MIN_REMOTE_PART = 0.5;

    private Optional<Path> storage = Optional.empty();
    private double remotePart;

    ReplayScenario(Path root) {
        super(root, List.of(2), 4, "jsonb");
    }

    @Override
    public Map<String, String> brokerProperties() throws ToolException {
        Path folder = Folders.temporary("tiered");
        storage = Optional.of(folder);
        Map<String, String> properties = new HashMap<>();
        properties.put("remote.log.storage.system.enable", "true");
        properties.put(
                "remote.log.storage.manager.class.name",
                "org.apache.kafka.server.log.remote.storage.LocalTieredStorage");
        properties.put("rsm.config.dir", folder.toString());
        properties.put("remote.log.metadata.manager.listener.name", "PLAINTEXT");
        properties.put("rlmm.config.remote.log.metadata.topic.replication.factor", "1");
        properties.put("rlmm.config.remote.log.metadata.topic.num.partitions", "1");
        properties.put("remote.log.manager.task.interval.ms", "500");
        properties.put("log.retention.check.interval.ms", "500");
        return properties;
    }

    @Override
    public List<Candidate> candidates(Candidates make) throws ToolException, InterruptedException {
        Candidates tiered = make.on(tiered(make.bed(), make.topic()));
        List<Candidate> all = new ArrayList<>();
        ConnectorSpec spec = spec();
        Map<String, String> oneTable = Map.of("table.name.format", spec.table().name());
        for (int tasks : plan().tasks()) {
            all.add(make.connector(spec.with(spec.name() + ", local segments", oneTable), tasks));
            all.add(tiered.connector(spec.with(spec.name() + ", tiered storage", oneTable), tasks));
        }
        return all;
    }

    private Topic tiered(TestBed bed, Topic local) throws ToolException, InterruptedException {
        Map<String, String> config = Map.of(
                "remote.storage.enable", "true",
                "segment.bytes", Integer.toString(SEGMENT_BYTES),
                "local.retention.bytes", "1",
                "file.delete.delay.ms", "0");
        bed.broker().createTopic(TIERED, local.partitions(), config);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bed.broker().bootstrapServers()))) {
            Topic topic = Topic.fill(
                    bed.broker().bootstrapServers(), TIERED, local.partitions(), plan().source(), local.records());
            awaitOffload(admin, topic);
            return topic;
        } catch (ExecutionException e) {
            throw new ToolException(
                    "cannot create the tiered topic: " + e.getCause().getMessage(), e);
        }
    }

    /** Returns when at least half of the records are only in tiered storage, and their number no longer grows. */
    private void awaitOffload(Admin admin, Topic topic) throws ToolException, InterruptedException, ExecutionException {
        CountDownLatch never = new CountDownLatch(1);
        long end = System.nanoTime() + MAX_OFFLOAD_TIME.toNanos();
        double before = -1;
        while (before < MIN_REMOTE_PART || remotePart > before) {
            if (System.nanoTime() > end) {
                throw new ToolException(Figures.format(
                        "after %d s only %.0f %% of the records have moved to tiered storage: use more records (each"
                                + " partition keeps a segment of %d MB)",
                        MAX_OFFLOAD_TIME.toSeconds(), remotePart * 100, SEGMENT_BYTES >> 20));
            }
            before = remotePart;
            never.await(POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
            remotePart = (double) remoteRecords(admin, topic) / topic.records();
        }
    }

    /** The number of records that are only in tiered storage. */
    private static long remoteRecords(Admin admin, Topic topic) throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> earliestLocal = new HashMap<>();
        for (int partition = 0; partition < topic.partitions(); partition++) {
            earliestLocal.put(new TopicPartition(topic.name(), partition), OffsetSpec.earliestLocal());
        }
        return admin.listOffsets(earliestLocal).all().get().values().stream()
                .mapToLong(found -> found.offset())
                .sum();
    }

    @Override
    public List<String> findings(Results results) {
        Figures figures = new Figures(results);
        List<String> findings = new ArrayList<>();
        findings.add(Figures.format(
                "%.0f %% of the tiered topic's records were only in tiered storage; the rest were also in the broker's"
                        + " last segments.",
                remotePart * 100));
        for (int i = 0; i + 1 < results.entrants().size(); i += 2) {
            CandidateInfo local = results.entrants().get(i);
            CandidateInfo tiered = results.entrants().get(i + 1);
            if (figures.rate(local.label()) > 0 && figures.rate(tiered.label()) > 0) {
                findings.add(Figures.format(
                        "%s: %,.0f records/s, %.2f x the rate from local segments. The broker used %.1f CPU s per"
                                + " million records instead of %.1f.",
                        tiered.label(),
                        figures.rate(tiered.label()),
                        figures.rate(tiered.label()) / figures.rate(local.label()),
                        figures.of(tiered.label(), Measure.BROKER_CPU),
                        figures.of(local.label(), Measure.BROKER_CPU)));
            }
        }
        return findings;
    }

    @Override
    public void close() {
        storage.ifPresent(Folders::delete);
    }
}
