package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.spi.RecordIdentity;
import io.tidegate.connect.tools.cluster.ClusterOptions;
import io.tidegate.connect.tools.cluster.Worker;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.connector.ConnectorFile;
import io.tidegate.connect.tools.connector.ConnectorOptions;
import io.tidegate.connect.tools.output.Json;
import io.tidegate.connect.tools.output.Progress;
import io.tidegate.connect.tools.records.Conversion;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.TopicReader;
import io.tidegate.connect.tools.redrive.Plan.Step;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidegate redrive}: writes dead letters again. */
@Command(
        name = "redrive",
        subcommands = ShowCommand.class,
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Lists what a dead letter topic holds, and writes the letters again with the connector's "
                + "settings: under their original topic, partition, offset and key, and never over newer data. A "
                + "second run goes on where the first ended.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every chosen letter is written, or what exists was kept",
            "1:letters were refused again, skipped by a setting, or redriven too often",
            "2:wrong option, or an error that the message explains"
        })
public final class RedriveCommand implements Callable<Integer> {
    private static final int PROBLEMS = 1;
    static final String PARKED = "-parked";
    static final String GROUP_PREFIX = "tidegate-redrive-";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "DLQ-TOPIC", description = "The dead letter topic.")
    private String topic = "";

    @Parameters(
            index = "1",
            arity = "0..1", // the subcommand has no such file
            paramLabel = "CONNECTOR",
            description =
                    "The connector whose letters these are: the file that is posted to Connect, or with --connect "
                            + "the connector's name.")
    private Optional<Path> connector = Optional.empty();

    @Mixin
    private ConnectorOptions settings;

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private Choice choice;

    @Option(names = "--dry-run", description = "List the letters and end. Nothing is written or remembered.")
    private boolean dryRun;

    @Option(
            names = "--parking",
            paramLabel = "TOPIC",
            description = "Move letters that are refused again, and those that the options leave out, to this topic. "
                    + "Default: DLQ-TOPIC" + PARKED + ", or DLQ-TOPIC itself if its name ends so.")
    private Optional<String> parking = Optional.empty();

    @Option(
            names = "--latest-only",
            description = "Leave out letters whose key has a later record in the original partition, which is newer "
                    + "also if it is a deletion. They count as done. For tables and indexes with the record's key.")
    private boolean latestOnly;

    @Option(
            names = "--unsure",
            paramLabel = "write|skip",
            description = "What to do with letters that may be written already, if the table or index has no key that "
                    + "tells: a run was cut off while it wrote them, or the group has no offset of the topic. Write them "
                    + "(perhaps twice) or skip them.")
    private Optional<Unsure> unsure = Optional.empty();

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "The consumer group whose offsets say which letters are done. One run at a time can be its "
                    + "member. Default: " + GROUP_PREFIX
                    + "NAME, with the name of the connector that refused them. An audit"
                    + " sees another one only if it begins with " + GROUP_PREFIX + ".")
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
        if (connector.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "Missing required parameters: 'DLQ-TOPIC', 'CONNECTOR'");
        }
        ConnectorFile file = settings.read(connector.get());
        String refusedBy = choice.connector().orElse(file.name());
        String name = groupName.orElse(GROUP_PREFIX + refusedBy);
        try (Worker worker = cluster.open()) {
            ConfiguredSink running = ConfiguredSink.of(file, worker);
            ConfiguredSink sink = running.redriving(name, topic);
            sink.check();
            requireKey(sink);
            try (TopicReader reader = TopicReader.open(committed(worker.consumer(sink.props())));
                    GroupOffsets group = GroupOffsets.open(worker.admin(sink.props()), name, refusedBy)) {
                reader.topics(Map.of("topics", topic));
                if (dryRun) {
                    Map<TopicPartition, OffsetRange> ranges = reader.ranges(List.of(topic));
                    Plan plan = plan(running, sink, refusedBy, group.positions(topic, ranges, false));
                    report(survey(reader, left(ranges, plan), plan), Optional.empty());
                    return 0;
                }
                requireUnread(running.props());
                group.createIfMissing(parking(), reader.ranges(List.of(topic)).size());
                try (GroupMember member = GroupMember.join(
                        group,
                        worker.consumer(sink.props()),
                        topic,
                        reader.ranges(List.of(topic)).keySet(),
                        notice -> spec.commandLine().getErr().println("tidegate: " + notice))) {
                    return run(worker, running, sink, refusedBy, reader, group, member);
                }
            }
        }
    }

    /**
     * The properties of a consumer that neither reads a letter of an aborted transaction nor passes over letters, whatever
     * the user has set. A run that was cut off while it parked letters leaves such copies, and would have them written
     * twice. Where Kafka has removed what is to be read next, reading fails.
     */
    static Map<String, Object> committed(Map<String, Object> consumer) {
        Map<String, Object> props = new HashMap<>(consumer);
        props.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        props.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return props;
    }

    private void requireKey(ConfiguredSink sink) throws ToolException {
        boolean isKept = sink.props().getOrDefault("transforms", "").isBlank(); // a transform may make another key
        if (latestOnly && !(isKept && sink.identity() == RecordIdentity.KEY)) {
            throw new ToolException(
                    "--latest-only leaves out a record whose key has a later one, but here the key of the record in"
                            + " Kafka alone does not tell a row or document: nothing was written");
        }
    }

    private String parking() {
        return parking.orElse(RedrivenLetters.parking(topic));
    }

    /** The connector itself would write parked letters as records of its topics. */
    private void requireUnread(Map<String, String> running) throws ToolException {
        if (parking().equals(topic)) {
            return;
        }
        String pattern = running.getOrDefault("topics.regex", "");
        boolean isRead = Stream.of(running.getOrDefault("topics", "").split(","))
                        .anyMatch(each -> each.strip().equals(parking()))
                || (!pattern.isEmpty() && Pattern.matches(pattern, parking()));
        if (isRead) {
            throw new ToolException("nothing was written: the connector reads " + parking()
                    + ", to which letters would be moved that are not written, and it would write them as records of"
                    + " that topic; name a topic that it does not read with --parking");
        }
    }

    private static RedriveSettings redriveOf(ConfiguredSink sink) {
        return RedriveSettings.from(new AbstractConfig(sink.type().config(), sink.settings(), false));
    }

    private Plan plan(
            ConfiguredSink running, ConfiguredSink sink, String refusedBy, Map<TopicPartition, Position> positions) {
        int attempts = redriveOf(sink).attempts();
        boolean skipsUnsure =
                unsure.equals(Optional.of(Unsure.skip)) && !sink.identity().isStoredOnce();
        return new Plan(
                choice,
                refusedBy,
                attempts,
                positions,
                skipsUnsure,
                redriveOf(running).isOn());
    }

    /** What the group has not done. */
    private static Map<TopicPartition, OffsetRange> left(Map<TopicPartition, OffsetRange> ranges, Plan plan) {
        Map<TopicPartition, OffsetRange> left = new HashMap<>();
        plan.positions()
                .forEach((partition, position) -> left.put(
                        partition, requireNonNull(ranges.get(partition)).from(position.offset())));
        return left;
    }

    private static Survey survey(TopicReader reader, Map<TopicPartition, OffsetRange> ranges, Plan plan)
            throws ToolException, InterruptedException {
        Survey survey = new Survey(plan);
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

    /** The group is held, so nothing but this run changes its offsets. */
    private int run(
            Worker worker,
            ConfiguredSink running,
            ConfiguredSink sink,
            String refusedBy,
            TopicReader reader,
            GroupOffsets group,
            GroupMember member)
            throws ToolException, InterruptedException {
        Map<TopicPartition, OffsetRange> ranges = reader.ranges(List.of(topic));
        Plan plan = plan(running, sink, refusedBy, group.positions(topic, ranges, true));
        Map<TopicPartition, OffsetRange> left = left(ranges, plan);
        Survey survey = survey(reader, left, plan);
        requireDecision(survey, sink, group.group());
        if (!json) {
            survey.print(topic, spec.commandLine().getOut());
        }
        Outcome outcome = new Outcome();
        try (Conversion conversion = Conversion.open(worker, sink);
                Redriver redriver =
                        new Redriver(sink, plan, later(reader, left, plan), conversion, member, parking(), outcome);
                Progress progress = Progress.of("writing dead letters", survey.count(Step.WRITE))) {
            redriver.flush(); // the user's decision about letters in doubt
            reader.read(left, letter -> {
                redriver.add(letter);
                progress.add(1);
                return true;
            });
            left.forEach((partition, range) -> redriver.passed(partition, range.to()));
            redriver.flush();
            redriver.end();
        } finally {
            report(survey, Optional.of(outcome));
        }
        long parked = survey.count(Step.PARK_SPENT) + survey.count(Step.PARK_LETTER);
        return outcome.refused() + outcome.skipped() + parked > 0 ? PROBLEMS : 0;
    }

    private LaterRecords later(TopicReader reader, Map<TopicPartition, OffsetRange> left, Plan plan)
            throws ToolException, InterruptedException {
        LaterRecords later = new LaterRecords();
        if (latestOnly) {
            reader.read(left, letter -> {
                if (plan.of(Letter.of(letter)) == Step.WRITE) {
                    later.add(letter);
                }
                return true;
            });
            later.ask(reader);
        }
        return later;
    }

    private void requireDecision(Survey survey, ConfiguredSink sink, String group) throws ToolException {
        if (!survey.refusedFirst().isEmpty()) {
            throw new ToolException("nothing was written: " + survey.connector()
                    + " itself writes letters again (redrive=true), and some of these are of "
                    + String.join(", ", survey.refusedFirst()) + "; give the settings of that connector");
        }
        if (survey.unsure() > 0 && unsure.isEmpty() && !sink.identity().isStoredOnce()) {
            throw new ToolException(survey.unsure()
                    + " letters may be written already, and rows or documents without a "
                    + "key or id do not show it: " + survey.unsureRanges()
                    + ". Either a run was cut off while it wrote "
                    + "them, or the consumer group " + group + " has no offset of the topic: this is its first run, or "
                    + "Kafka has forgotten them. Look, and use --unsure write or --unsure skip");
        }
    }

    private void report(Survey survey, Optional<Outcome> outcome) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            ObjectNode result = Json.object();
            result.put("topic", topic);
            survey.addTo(result);
            outcome.ifPresent(done -> done.addTo(result.putObject("result")));
            Json.write(out, result);
        } else if (outcome.isPresent()) {
            outcome.get().print(out);
        } else {
            survey.print(topic, out);
        }
    }
}
