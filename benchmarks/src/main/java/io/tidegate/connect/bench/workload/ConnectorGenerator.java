package io.tidegate.connect.bench.workload;

import io.tidegate.connect.bench.load.Phase;
import io.tidegate.connect.bench.load.ProducerSettings;
import io.tidegate.connect.bench.load.Timetable;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.testkit.process.Folders;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Generates the load with a source connector on a separate worker, so that Connect's path to Kafka is measured too. */
public final class ConnectorGenerator implements Generator {
    private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";
    /** The tasks start within this time. */
    private static final long HEAD_START_MICROS = 8_000_000;

    private final Path folder = Folders.temporary("payload");
    private final long startMicros;
    private final RunningGenerator generator;

    public ConnectorGenerator(LoadTest test, WorkloadFile load, List<byte[]> values) throws ToolException {
        Path payload = write(values);
        startMicros = Timetable.nowMicros() + HEAD_START_MICROS;
        Map<String, String> config = new HashMap<>();
        ProducerSettings.LOAD.forEach((key, value) -> config.put("producer.override." + key, value));
        config.put("key.converter", BYTES);
        config.put("value.converter", BYTES);
        config.put("topic", test.topic());
        config.put("topic.partitions", Integer.toString(load.partitions()));
        config.put("phases", Phase.text(load.shapes()));
        config.put("late.records", load.late().name().toLowerCase(Locale.ROOT));
        config.put("payload.file", payload.toString());
        config.put("start.micros", Long.toString(startMicros));
        generator = test.generate(config, load.generatorTasks());
    }

    private Path write(List<byte[]> values) throws ToolException {
        Path file = folder.resolve("values.jsonl");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            for (byte[] value : values) {
                out.write(value);
                out.write('\n');
            }
            return file;
        } catch (IOException e) {
            throw new ToolException("cannot write the payload to a temporary file: " + e.getMessage(), e);
        }
    }

    @Override
    public long startMicros() {
        return startMicros;
    }

    @Override
    public Sending sample() throws ToolException {
        boolean done = generator.isDone(); // read first, so that the counts are final
        return new Sending(generator.sent(), generator.accepted(), done, generator.problem());
    }

    @Override
    public double lagMillis(int phase) throws ToolException {
        return generator.latestMicros(phase) / 1e3;
    }

    @Override
    public void close() {
        Folders.delete(folder);
    }
}
