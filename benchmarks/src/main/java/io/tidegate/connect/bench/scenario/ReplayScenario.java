package io.tidegate.connect.bench.scenario;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.drain.Candidate;
import io.tidegate.connect.bench.drain.ConnectorCandidate;
import io.tidegate.connect.bench.drain.DrainPlan;
import io.tidegate.connect.bench.drain.Experiment;
import io.tidegate.connect.bench.drain.Figures;
import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.testbed.FailureDiagnostics;
import io.tidegate.connect.bench.testbed.TestBed;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.tools.TempFolders;
import io.tidegate.connect.tools.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * A backlog is drained from the broker's own segments, and the same from tiered storage: Kafka's own stand-in for it, a
 * folder of this machine, so that what is measured is the way through the broker and not a network.
 */
final class ReplayScenario implements Experiment {
    private static final String TIERED = "bench-tiered";
    private static final int SEGMENT_BYTES = 4 << 20;
    private static final Duration OFFLOADED = Duration.ofMinutes(3);
    private static final long LOOK_MILLIS = 500;

    /** The rest is in segments that are still being written. */
    private static final double MOSTLY = 0.5;

    private final DrainPlan plan;
    private final Path storage;
    private double remotePart;

    ReplayScenario(DrainPlan plan) throws ToolException {
        this.plan = plan;
        try {
            storage = Files.createTempDirectory("tidegate-tiered-");
        } catch (IOException e) {
            throw new ToolException("cannot make a temporary folder: " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return "scenario replay";
    }

    @Override
    public Map<String, String> brokerProperties() {
        Map<String, String> properties = new HashMap<>();
        properties.put("remote.log.storage.system.enable", "true");
        properties.put(
                "remote.log.storage.manager.class.name",
                "org.apache.kafka.server.log.remote.storage.LocalTieredStorage");
        properties.put("rsm.config.dir", storage.toString());
        properties.put("remote.log.metadata.manager.listener.name", "PLAINTEXT");
        properties.put("rlmm.config.remote.log.metadata.topic.replication.factor", "1");
        properties.put("rlmm.config.remote.log.metadata.topic.num.partitions", "1");
        properties.put("remote.log.manager.task.interval.ms", "500");
        properties.put("log.retention.check.interval.ms", "500");
        return properties;
    }

    @Override
    public List<Candidate> contestants(TestBed bed, Topic topic) throws ToolException, InterruptedException {
        Topic tiered = tiered(bed, topic);
        List<Candidate> all = new ArrayList<>();
        FailureDiagnostics evidence = new FailureDiagnostics(plan.out());
        ConnectorSpec subject = plan.subjects().get(0);
        Map<String, String> oneTable =
                Map.of("table.name.format", subject.table().name());
        for (int tasks : plan.tasks()) {
            all.add(new ConnectorCandidate(
                    bed, topic, subject.with(subject.name() + ", local segments", oneTable), tasks, evidence));
            all.add(new ConnectorCandidate(
                    bed, tiered, subject.with(subject.name() + ", tiered storage", oneTable), tasks, evidence));
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
                    bed.broker().bootstrapServers(), TIERED, local.partitions(), plan.source(), local.records());
            awaitOffload(admin, topic);
            return topic;
        } catch (ExecutionException e) {
            throw new ToolException(
                    "the tiered topic cannot be made: " + e.getCause().getMessage(), e);
        }
    }

    /** Returns when more than half of the records are in tiered storage alone, and no more go there. */
    private void awaitOffload(Admin admin, Topic topic) throws ToolException, InterruptedException, ExecutionException {
        CountDownLatch never = new CountDownLatch(1);
        long end = System.nanoTime() + OFFLOADED.toNanos();
        double before = -1;
        while (before < MOSTLY || remotePart > before) {
            if (System.nanoTime() > end) {
                throw new ToolException(Figures.format(
                        "after %d s only %.0f %% of the records are in tiered storage alone: take more of them (each"
                                + " partition keeps a segment of %d MB)",
                        OFFLOADED.toSeconds(), remotePart * 100, SEGMENT_BYTES >> 20));
            }
            before = remotePart;
            never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            remotePart = (double) remoteRecords(admin, topic) / topic.records();
        }
    }

    /** Records that the broker itself does not have any more. */
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
        Figures medians = new Figures(results);
        List<String> findings = new ArrayList<>();
        findings.add(Figures.format(
                "%.0f %% of the tiered topic's records were in tiered storage alone, the rest in the broker's last segments"
                        + " as well.",
                remotePart * 100));
        for (int i = 0; i + 1 < results.entrants().size(); i += 2) {
            Entrant local = results.entrants().get(i);
            Entrant tiered = results.entrants().get(i + 1);
            if (medians.rate(local.label()) > 0 && medians.rate(tiered.label()) > 0) {
                findings.add(Figures.format(
                        "%s: %,.0f records/s, %.2f x the rate from local segments; %.1f CPU s of the broker for a million"
                                + " records instead of %.1f.",
                        tiered.label(),
                        medians.rate(tiered.label()),
                        medians.rate(tiered.label()) / medians.rate(local.label()),
                        medians.of(tiered.label(), Measure.BROKER_CPU).orElse(0.0),
                        medians.of(local.label(), Measure.BROKER_CPU).orElse(0.0)));
            }
        }
        return findings;
    }

    @Override
    public void close() {
        TempFolders.delete(storage);
    }
}
