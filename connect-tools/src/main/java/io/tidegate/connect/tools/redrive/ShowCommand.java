package io.tidegate.connect.tools.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.tools.cluster.ClusterOptions;
import io.tidegate.connect.tools.cluster.Worker;
import io.tidegate.connect.tools.output.Json;
import io.tidegate.connect.tools.output.SecretNames;
import io.tidegate.connect.tools.records.OffsetRange;
import io.tidegate.connect.tools.records.TopicReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tidegate redrive show}: prints dead letters with their contents. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Prints dead letters as JSON, one per line: where each is, why it was refused, its key, value and "
                        + "headers. Values of headers that may be credentials are hidden.")
final class ShowCommand implements Callable<Integer> {
    private static final int MOST_BYTES = 4_096;
    private static final Pattern PLACE = Pattern.compile("(\\d{1,9})@(\\d{1,18})");

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DLQ-TOPIC", description = "The dead letter topic.")
    private String topic;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "PARTITION@OFFSET",
            description = "One letter of the topic, such as 0@41. Default: all that the options choose.")
    private Optional<String> place = Optional.empty();

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private Choice choice;

    @Option(names = "--limit", paramLabel = "N", description = "Print at most so many letters. Default: 10.")
    private int limit = 10;

    @Option(
            names = "--export",
            paramLabel = "FILE",
            description =
                    "Write all chosen letters with their whole contents to a new file. Without --limit, all of them.")
    private Optional<Path> export = Optional.empty();

    /** Where a letter's line goes. */
    @FunctionalInterface
    private interface Output {
        void line(String json) throws IOException;
    }

    @Override
    public Integer call() throws ToolException, InterruptedException {
        try (Worker worker = cluster.open();
                TopicReader reader = TopicReader.open(RedriveCommand.committed(worker.consumer(Map.of())))) {
            reader.topics(Map.of("topics", topic));
            Map<TopicPartition, OffsetRange> ranges = ranges(reader);
            if (export.isEmpty()) {
                show(reader, ranges, limit, line -> spec.commandLine().getOut().println(line));
                spec.commandLine().getOut().flush();
                return 0;
            }
            boolean isLimited = spec.commandLine().getParseResult().hasMatchedOption("--limit");
            try (BufferedWriter file = Files.newBufferedWriter(export.get(), UTF_8, StandardOpenOption.CREATE_NEW)) {
                show(reader, ranges, isLimited ? limit : Long.MAX_VALUE, line -> file.append(line)
                        .append('\n'));
            }
            return 0;
        } catch (FileAlreadyExistsException e) {
            throw new ToolException("--export writes a new file, and " + e.getMessage() + " exists", e);
        } catch (IOException | UncheckedIOException e) {
            throw new ToolException("cannot write the letters: " + e.getMessage(), e);
        }
    }

    private Map<TopicPartition, OffsetRange> ranges(TopicReader reader) throws ToolException, InterruptedException {
        Map<TopicPartition, OffsetRange> all = reader.ranges(List.of(topic));
        if (place.isEmpty()) {
            return all;
        }
        Matcher one = PLACE.matcher(place.get());
        if (!one.matches()) {
            throw new ToolException("'" + place.get() + "' is not a partition and an offset such as 0@41");
        }
        TopicPartition partition = new TopicPartition(topic, Integer.parseInt(one.group(1)));
        long offset = Long.parseLong(one.group(2));
        OffsetRange known = all.get(partition);
        if (known == null || offset < known.from() || offset >= known.to()) {
            throw new ToolException("Kafka has no letter " + partition + "@" + offset);
        }
        return Map.of(partition, new OffsetRange(offset, offset + 1));
    }

    private void show(TopicReader reader, Map<TopicPartition, OffsetRange> ranges, long most, Output output)
            throws ToolException, InterruptedException {
        if (most <= 0) {
            throw new ToolException("--limit must be at least 1");
        }
        int bytes = export.isPresent() ? Integer.MAX_VALUE : MOST_BYTES;
        long[] shown = {0};
        boolean unused = reader.read(ranges, raw -> {
            Letter letter = Letter.of(raw);
            boolean isOf =
                    choice.connector().isEmpty() || choice.connector().get().equals(letter.connector());
            if (isOf && choice.fits(letter)) {
                try {
                    output.line(json(raw, letter, bytes).toString());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                shown[0]++;
            }
            return shown[0] < most;
        });
    }

    private static ObjectNode json(ConsumerRecord<byte[], byte[]> raw, Letter letter, int most) {
        ObjectNode json = Json.object();
        json.put("topic", raw.topic());
        json.put("partition", raw.partition());
        json.put("offset", raw.offset());
        json.put("time", letter.time().toString());
        json.put("connector", letter.connector());
        json.put("kind", letter.kind());
        json.put("reason", letter.reason());
        json.put("refusals", letter.refusals());
        letter.origin().ifPresent(origin -> json.putObject("origin")
                .put("topic", origin.partition().topic())
                .put("partition", origin.partition().partition())
                .put("offset", origin.offset()));
        put(json, "key", raw.key(), most);
        put(json, "value", raw.value(), most);
        ArrayNode headers = json.putArray("headers");
        for (Header header : raw.headers()) {
            ObjectNode each = headers.addObject().put("name", header.key());
            if (SecretNames.has(header.key())) {
                each.put("hidden", true);
            } else {
                put(each, "value", header.value(), most);
            }
        }
        return json;
    }

    /** As text if it is UTF-8, or in Base64. What is cut says how long it was. */
    private static void put(ObjectNode json, String name, byte[] bytes, int most) {
        if (bytes == null) {
            json.putNull(name);
            return;
        }
        boolean isCut = bytes.length > most;
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            json.put(name, text.length() > most ? text.substring(0, most) : text);
            isCut = text.length() > most;
        } catch (CharacterCodingException e) {
            int length = Math.min(bytes.length, most);
            json.put(name + "_base64", Base64.getEncoder().encodeToString(Arrays.copyOf(bytes, length)));
        }
        if (isCut) {
            json.put(name + "_bytes", bytes.length);
        }
    }
}
