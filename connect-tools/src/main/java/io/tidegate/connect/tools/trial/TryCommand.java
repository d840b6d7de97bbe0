package io.tidegate.connect.tools.trial;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.tools.cluster.ClusterOptions;
import io.tidegate.connect.tools.cluster.Worker;
import io.tidegate.connect.tools.connector.ConfiguredSink;
import io.tidegate.connect.tools.connector.ConnectorFile;
import io.tidegate.connect.tools.connector.ConnectorOptions;
import io.tidegate.connect.tools.output.Json;
import io.tidegate.connect.tools.output.Progress;
import io.tidegate.connect.tools.records.Conversion;
import io.tidegate.connect.tools.records.Converted;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.StartPoint;
import io.tidegate.connect.tools.records.TopicReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code tidegate try}: what a configuration would do to records. */
@Command(
        name = "try",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Shows what a connector's configuration would do to records: what would be written where, and "
                + "which records would be refused and why. Nothing is written.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:every record would be written, or left out as the settings say",
            "1:records would be refused, or the task would fail",
            "2:wrong option, or an error that the message explains"
        })
public final class TryCommand implements Callable<Integer> {
    private static final int PROBLEMS = 1;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "CONNECTOR",
            description = "The file that is posted to Connect, or with --connect the connector's name.")
    private Path connector;

    @Mixin
    private ConnectorOptions settings;

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "100",
            description = "Most records to read. Default: ${DEFAULT-VALUE}.")
    private long records;

    @Option(
            names = "--from",
            paramLabel = "START",
            defaultValue = "latest",
            converter = StartByText.class,
            description = "Where to start in each partition: latest (the last records of the topics), earliest, an "
                    + "offset, or a time such as 2026-01-31T08:00:00Z. Default: ${DEFAULT-VALUE}.")
    private StartPoint from;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "Read values from a file, one a line, and not from Kafka.")
    private Optional<Path> input = Optional.empty();

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            description = "Only this topic. With --input, the topic of the records. Default: the topics of the "
                    + "connector, or the first of them.")
    private Optional<String> topic = Optional.empty();

    @Option(
            names = "--key-separator",
            paramLabel = "TEXT",
            description = "With --input, what comes between key and value in a line. Default: records have no key.")
    private Optional<String> keySeparator = Optional.empty();

    @Option(names = "--offline", description = "Do not ask the server: show the mapping only.")
    private boolean offline;

    @Option(names = "--all", description = "Show every record, not only a few of each outcome.")
    private boolean all;

    @Option(names = "--json", description = "Print the result with every record as JSON.")
    private boolean json;

    @Option(names = "--html", paramLabel = "FILE", description = "Also write the result with every record as a page.")
    private Optional<Path> html = Optional.empty();

    @Override
    public Integer call() throws ToolException, InterruptedException {
        if (records < 1) {
            throw new ParameterException(spec.commandLine(), "--records must be at least 1");
        }
        ConnectorFile file = settings.read(connector);
        try (Worker worker = cluster.open()) {
            ConfiguredSink sink = ConfiguredSink.of(file, worker);
            sink.check();
            TrialResult result = new Trial(sink, !offline).of(converted(worker, sink));
            show(result, isTolerant(sink));
            return result.isClean() ? 0 : PROBLEMS;
        }
    }

    private static boolean isTolerant(ConfiguredSink sink) {
        return TaskSettings.from(new AbstractConfig(sink.type().config(), sink.settings(), false))
                .toleratesErrors();
    }

    private List<Converted> converted(Worker worker, ConfiguredSink sink) throws ToolException, InterruptedException {
        try (Conversion conversion = Conversion.open(worker, sink)) {
            List<Converted> converted = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : raw(worker, sink)) {
                converted.add(conversion.convert(record));
            }
            return converted;
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> raw(Worker worker, ConfiguredSink sink)
            throws ToolException, InterruptedException {
        if (input.isPresent()) {
            return RecordFile.read(input.get(), topicOfFile(sink), keySeparator, records);
        }
        try (TopicReader reader = TopicReader.open(worker.consumer(sink.props()))) {
            Map<String, String> topics = topic.isPresent() ? Map.of("topics", topic.get()) : sink.props();
            Map<TopicPartition, OffsetRange> ranges = reader.from(from, records, reader.ranges(reader.topics(topics)));
            long expected = Math.min(
                    records,
                    ranges.values().stream().mapToLong(OffsetRange::size).sum());
            List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
            try (Progress progress = Progress.of("reading records", expected)) {
                reader.read(ranges, message -> {
                    read.add(message);
                    progress.add(1);
                    return read.size() < records;
                });
            }
            return read;
        }
    }

    private String topicOfFile(ConfiguredSink sink) throws ToolException {
        String topics = sink.props().getOrDefault("topics", "").split(",", 2)[0].strip();
        if (topic.isEmpty() && topics.isEmpty()) {
            throw new ToolException("the connector names no topic: say with --topic of which topic the records are");
        }
        return topic.orElse(topics);
    }

    private void show(TrialResult result, boolean isTolerant) throws ToolException {
        PrintWriter out = spec.commandLine().getOut();
        if (html.isPresent()) {
            try {
                Files.writeString(html.get(), HtmlReport.of(result));
            } catch (IOException e) {
                throw new ToolException("cannot write " + html.get() + ": " + e, e);
            }
        }
        if (json) {
            Json.write(out, JsonReport.of(result));
        } else {
            TextReport.write(out, result, all, isTolerant);
        }
    }

    /** Reads {@code --from}. */
    static final class StartByText implements ITypeConverter<StartPoint> {
        @Override
        public StartPoint convert(String text) {
            try {
                return StartPoint.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
