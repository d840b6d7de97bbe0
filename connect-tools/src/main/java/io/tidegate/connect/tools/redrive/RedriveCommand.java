package io.tidegate.connect.tools.redrive;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.tools.cluster.ClusterOptions;
import io.tidegate.connect.tools.cluster.Worker;
import io.tidegate.connect.tools.command.ToolException;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.connector.ConnectorFile;
import io.tidegate.connect.tools.output.Json;
import io.tidegate.connect.tools.output.Progress;
import io.tidegate.connect.tools.records.Conversion;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.StartPoint;
import io.tidegate.connect.tools.records.TopicReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code tidegate redrive}: writes dead letters again. */
@Command(
        name = "redrive",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Lists what a dead letter topic holds, and writes the letters again with the connector's "
                + "settings: under their original topic, partition, offset and key, and never over newer data. A "
                + "second run writes what the first has not written.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every chosen letter is written, or what exists was kept",
            "1:letters were refused again or redriven too often",
            "2:wrong option, or an error that the message explains"
        })
public final class RedriveCommand implements Callable<Integer> {
    private static final int PROBLEMS = 1;
    private static final String GROUP_PREFIX = "tidegate-redrive-";
    private static final String RETRY_TIMEOUT_MS = "60000";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DLQ-TOPIC", description = "The dead letter topic.")
    private String topic;

    @Parameters(
            index = "1",
            paramLabel = "CONNECTOR.json",
            description = "The connector whose letters these are, as it is posted to Connect.")
    private Path connector;

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            split = ",",
            description = "Only letters of these kinds, such as constraint.")
    private List<String> kinds = List.of();

    @Option(
            names = "--where",
            paramLabel = "NAME=VALUE",
            description = "Only letters with this fact or header, such as constraint=positive. All must fit.")
    private Map<String, String> where = Map.of();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = TimeByText.class,
            description = "Only records from this time on, such as 2026-01-31 or 2026-01-31T08:00:00Z.")
    private Optional<Instant> since = Optional.empty();

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = TimeByText.class,
            description = "Only records before this time.")
    private Optional<Instant> until = Optional.empty();

    @Option(
            names = "--connector",
            paramLabel = "NAME",
            description = "The connector that refused the letters. Default: the name in the file.")
    private Optional<String> refusedBy = Optional.empty();

    @Option(names = "--dry-run", description = "List the letters and end. Nothing is written or remembered.")
    private boolean dryRun;

    @Option(
            names = "--parking",
            paramLabel = "TOPIC",
            description = "Move letters that are refused again to this topic. Default: they stay in the queue.")
    private Optional<String> parking = Optional.empty();

    @Option(
            names = "--latest-only",
            description = "Leave out letters whose key has a later record in the original partition, which is newer "
                    + "also if it is a deletion. They count as done. For tables and indexes with the record's key.")
    private boolean latestOnly;

    @Option(
            names = "--unsure",
            paramLabel = "write|skip",
            description = "What to do with letters that a run was writing when it was cut off, if the table or index "
                    + "has neither a key nor exactly-once offsets that tell: write them (perhaps twice) or skip them.")
    private Optional<Unsure> unsure = Optional.empty();

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description =
                    "The consumer group that remembers which letters are done. Default: " + GROUP_PREFIX + "CONNECTOR.")
    private Optional<String> groupName = Optional.empty();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    /** What to do with letters of which nothing tells whether they are written. */
    enum Unsure {
        write,
        skip
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        ConnectorFile file = ConnectorFile.read(connector);
        String name = groupName.orElse(GROUP_PREFIX + file.name());
        try (Worker worker = cluster.open()) {
            ConfiguredSink sink = redriving(ConfiguredSink.of(file, worker), name);
            sink.check();
            try (TopicReader reader = TopicReader.open(worker.consumer(sink.props()));
                    Group group = Group.open(worker.admin(sink.props()), name)) {
                reader.topics(Map.of("topics", topic));
                if (parking.isPresent()) {
                    checkParking(group);
                }
                Map<TopicPartition, OffsetRange> ranges = reader.ranges(List.of(topic));
                Ledger ledger = ledger(group, ranges, name);
                Survey survey = survey(reader, ranges, ledger, file.name(), sink);
                if (!json) {
                    survey.print(topic, spec.commandLine().getOut());
                }
                Outcome outcome = new Outcome();
                if (dryRun) {
                    report(survey, outcome);
                    return 0;
                }
                try (Conversion conversion = Conversion.open(worker, sink);
                        Closing park = new Closing(openParking(worker, sink))) {
                    redrive(reader, ranges, survey, group, ledger, conversion, sink, park.parking(), outcome);
                } finally {
                    report(survey, outcome);
                }
                return outcome.refused() + survey.spent() > 0 ? PROBLEMS : 0;
            }
        }
    }

    /** The same sink, as a task that reads dead letters has it. */
    private ConfiguredSink redriving(ConfiguredSink sink, String name) {
        Map<String, String> props = new HashMap<>(sink.props());
        props.keySet().removeIf(key -> key.startsWith("errors.deadletterqueue.") || key.equals("topics.regex"));
        props.put("name", name);
        props.put("topics", topic);
        props.put("errors.tolerance", "all"); // what is refused is counted here
        props.put(RedriveSettings.REDRIVE, "true");
        props.putIfAbsent(RetrySettings.RETRY_TIMEOUT_MS, RETRY_TIMEOUT_MS); // a user waits
        return new ConfiguredSink(name, sink.connector(), props);
    }

    private void checkParking(Group group) throws ToolException, InterruptedException {
        if (parking.orElseThrow().equals(topic)) {
            throw new ToolException("--parking must be another topic than " + topic + ", or its letters would circle");
        }
        group.requireTopic(parking.get());
    }

    private Optional<Parking> openParking(Worker worker, ConfiguredSink sink) throws ToolException {
        return parking.isPresent()
                ? Optional.of(Parking.open(worker.admin(sink.props()), parking.get(), sink.name()))
                : Optional.empty();
    }

    private record Closing(Optional<Parking> parking) implements AutoCloseable {
        @Override
        public void close() {
            parking.ifPresent(Parking::close);
        }
    }

    private Ledger ledger(Group group, Map<TopicPartition, OffsetRange> ranges, String name)
            throws ToolException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> stored = group.offsets(ranges.keySet());
        Map<TopicPartition, Long> begins = new HashMap<>();
        for (Map.Entry<TopicPartition, OffsetRange> partition : ranges.entrySet()) {
            OffsetAndMetadata known = stored.get(partition.getKey());
            if (known != null && known.offset() > partition.getValue().to()) {
                throw new ToolException("the consumer group " + name + " is at offset " + known.offset() + " of "
                        + partition.getKey() + ", which ends at "
                        + partition.getValue().to()
                        + ": the topic was created again. Delete the group, or use another --group");
            }
            begins.put(partition.getKey(), partition.getValue().from());
        }
        return Ledger.of(begins, stored);
    }

    private Survey survey(
            TopicReader reader,
            Map<TopicPartition, OffsetRange> ranges,
            Ledger ledger,
            String connectorName,
            ConfiguredSink sink)
            throws ToolException, InterruptedException {
        Choice choice = new Choice(refusedBy.orElse(connectorName), kinds, where, since, until);
        int attempts = RedriveSettings.from(new AbstractConfig(sink.type().config(), sink.settings(), false))
                .attempts();
        Survey survey = new Survey(ledger, choice, attempts);
        long total = ranges.values().stream().mapToLong(OffsetRange::size).sum();
        try (Progress progress = Progress.of("reading dead letters", total)) {
            reader.read(ranges, letter -> {
                survey.add(letter);
                progress.add(1);
                return true;
            });
        }
        return survey;
    }

    private void redrive(
            TopicReader reader,
            Map<TopicPartition, OffsetRange> ranges,
            Survey survey,
            Group group,
            Ledger ledger,
            Conversion conversion,
            ConfiguredSink sink,
            Optional<Parking> park,
            Outcome outcome)
            throws ToolException, InterruptedException {
        boolean isRead = survey.unsure() > 0 && Redriver.keepsOffsets(sink);
        if (survey.unsure() > 0 && !Redriver.isRepeatable(sink)) {
            decide(survey, ledger);
            group.store(ledger.stored());
        }
        LaterRecords later = new LaterRecords();
        if (latestOnly) {
            reader.read(ranges, letter -> {
                if (survey.isChosen(letter)) {
                    later.add(letter);
                }
                return true;
            });
            later.ask(reader);
        }
        try (Redriver redriver = new Redriver(sink, ranges.keySet(), conversion, group, ledger, park, outcome);
                Progress progress = Progress.of("writing dead letters", survey.chosen() + survey.unsure())) {
            if (isRead) { // the sink's own offsets tell which of them are written
                write(reader, ranges, redriver, progress, survey::isUnsure, new LaterRecords());
            }
            redriver.settle();
            Chooser chooser = letter -> survey.isChosen(letter)
                    && !(isRead && survey.isUnsure(letter))
                    && !ledger.isDone(new TopicPartition(letter.topic(), letter.partition()), letter.offset());
            write(reader, ranges, redriver, progress, chooser, later);
            redriver.settle();
        }
    }

    private void decide(Survey survey, Ledger ledger) throws ToolException {
        if (unsure.isEmpty()) {
            throw new ToolException("a run was cut off while it wrote " + survey.unsure() + " letters, and without a "
                    + "key or exactly-once offsets nothing tells which of them are written: "
                    + survey.positionsOfUnsure()
                    + ". Look, and use --unsure write or --unsure skip");
        }
        survey.positionsOfUnsure()
                .forEach((partition, offsets) -> offsets.forEach(offset -> {
                    if (unsure.get() == Unsure.skip) {
                        ledger.done(partition, offset);
                    } else {
                        ledger.stays(partition, offset);
                    }
                }));
    }

    private interface Chooser {
        boolean chooses(ConsumerRecord<byte[], byte[]> letter);
    }

    private static void write(
            TopicReader reader,
            Map<TopicPartition, OffsetRange> ranges,
            Redriver redriver,
            Progress progress,
            Chooser chooser,
            LaterRecords later)
            throws ToolException, InterruptedException {
        reader.read(ranges, letter -> {
            if (chooser.chooses(letter) && later.has(letter)) {
                redriver.supersede(letter);
            } else if (chooser.chooses(letter)) {
                redriver.add(letter);
                progress.add(1);
            }
            return true;
        });
        redriver.flush();
    }

    private void report(Survey survey, Outcome outcome) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            ObjectNode result = Json.object();
            result.put("topic", topic);
            survey.addTo(result);
            if (!dryRun) {
                outcome.addTo(result.putObject("result"));
            }
            Json.write(out, result);
        } else if (!dryRun) {
            outcome.print(out);
        }
    }

    static final class TimeByText implements ITypeConverter<Instant> {
        @Override
        public Instant convert(String text) {
            try {
                if (StartPoint.parse(text) instanceof StartPoint.AtTime at) {
                    return at.time();
                }
            } catch (IllegalArgumentException e) {
                // the same message
            }
            throw new TypeConversionException(
                    "'" + text + "' is not a time such as 2026-01-31 or 2026-01-31T08:00:00Z");
        }
    }
}
