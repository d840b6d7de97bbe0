package io.tidegate.connect.bench.plugin;

import io.tidegate.connect.bench.load.Phase;
import io.tidegate.connect.bench.load.Stamped;
import io.tidegate.connect.bench.load.Timetable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of the generator.
 *
 * @param partitions the partitions of the topic, which get records in turn
 * @param late how records are handled that are not sent when their phase ends
 * @param startMicros the start of the first phase, in microseconds since 1970; 0 for the start of the task
 */
record GeneratorSettings(
        String topic, int partitions, List<Phase> phases, Timetable.Late late, Path payloadFile, long startMicros) {
    static final String TOPIC = "topic";
    static final String PARTITIONS = "topic.partitions";
    static final String PHASES = "phases";
    static final String PAYLOAD_FILE = "payload.file";
    static final String LATE = "late.records";
    static final String START_MICROS = "start.micros";

    static ConfigDef define() {
        return new ConfigDef()
                .define(
                        TOPIC,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new ConfigDef.NonEmptyString(),
                        Importance.HIGH,
                        "The topic to send to.")
                .define(
                        PARTITIONS,
                        Type.INT,
                        ConfigDef.NO_DEFAULT_VALUE,
                        Range.atLeast(1),
                        Importance.HIGH,
                        "Partitions of the topic; records go to them in turn.")
                .define(
                        PHASES,
                        Type.LIST,
                        ConfigDef.NO_DEFAULT_VALUE,
                        ConfigDef.LambdaValidator.with(GeneratorSettings::checkPhases, () -> "RATE@SECONDS,..."),
                        Importance.HIGH,
                        "The load: comma-separated RATE@SECONDS, FROM-TO@SECONDS or unbounded@SECONDS. Rates are in"
                                + " records/s for all tasks together.")
                .define(
                        PAYLOAD_FILE,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new ConfigDef.NonEmptyString(),
                        Importance.HIGH,
                        "A file with a JSON object on each line. The objects are the values, used in turn. A task"
                                + " keeps all of them on the heap.")
                .define(
                        LATE,
                        Type.STRING,
                        "send",
                        ConfigDef.ValidString.in("send", "drop"),
                        Importance.LOW,
                        "How records are handled that are not sent when their phase ends: send them late, or drop"
                                + " them.")
                .define(
                        START_MICROS,
                        Type.LONG,
                        0L,
                        Range.atLeast(0),
                        Importance.LOW,
                        "The start of the first phase, in microseconds since 1970; 0 for the start of the task.");
    }

    private static void checkPhases(String key, Object value) {
        try {
            List<String> texts = ((List<?>) value).stream().map(String::valueOf).toList();
            if (Phase.parse(texts).isEmpty()) {
                throw new IllegalArgumentException("at least one phase is needed");
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key, value, e.getMessage());
        }
    }

    static GeneratorSettings of(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(define(), props, false);
        return new GeneratorSettings(
                config.getString(TOPIC),
                config.getInt(PARTITIONS),
                Phase.parse(config.getList(PHASES)),
                Timetable.Late.valueOf(config.getString(LATE).toUpperCase(Locale.ROOT)),
                Path.of(config.getString(PAYLOAD_FILE)),
                config.getLong(START_MICROS));
    }

    /** Reads the payload file. */
    Stamped values() {
        try (Stream<String> lines = Files.lines(payloadFile)) {
            return new Stamped(lines.filter(line -> !line.isBlank())
                    .map(line -> line.strip().getBytes(StandardCharsets.UTF_8))
                    .toList());
        } catch (IOException e) {
            throw new ConfigException(
                    PAYLOAD_FILE, payloadFile, "cannot be read: " + e.getClass().getSimpleName());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(PAYLOAD_FILE, payloadFile, e.getMessage());
        }
    }
}
