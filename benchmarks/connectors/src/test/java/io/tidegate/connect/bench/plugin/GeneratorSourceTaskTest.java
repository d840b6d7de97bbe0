package io.tidegate.connect.bench.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GeneratorSourceTaskTest {
    private static final RecordMetadata TAKEN = new RecordMetadata(new TopicPartition("load", 0), 0, 0, 0, 0, 0);

    @TempDir
    private Path folder;

    private Path payload;

    @BeforeEach
    void write() throws Exception {
        payload = Files.writeString(folder.resolve("payload.jsonl"), "{\"a\":1}\n{\"b\":2}\n");
    }

    private Map<String, String> config(String phases) {
        // Long ago: everything is due.
        return Map.of(
                "name", "g",
                "topic", "load",
                "topic.partitions", "2",
                "phases", phases,
                "payload.file", payload.toString(),
                "start.micros", "1000000");
    }

    private static List<Map<String, String>> tasks(Map<String, String> config, int count) {
        GeneratorSourceConnector connector = new GeneratorSourceConnector();
        connector.start(config);
        return connector.taskConfigs(count);
    }

    private static List<SourceRecord> all(GeneratorSourceTask task) {
        List<SourceRecord> all = new ArrayList<>();
        Optional<List<SourceRecord>> polled = Optional.ofNullable(task.poll());
        while (polled.isPresent()) {
            all.addAll(polled.get());
            polled = Optional.ofNullable(task.poll());
        }
        return all;
    }

    @Test
    void tasksShareTheLoad() {
        List<String> values = new ArrayList<>();
        for (Map<String, String> config : tasks(config("10@1,100@30"), 2)) {
            GeneratorSourceTask task = new GeneratorSourceTask();
            task.start(config);
            List<SourceRecord> records = all(task);
            task.stop();
            assertThat(records).hasSize(1_505);
            assertThat(records)
                    .extracting(SourceRecord::kafkaPartition)
                    .containsOnly(Integer.valueOf(config.get("generator.task")));
            records.forEach(record -> values.add(new String((byte[]) record.value(), UTF_8)));
        }

        assertThat(values)
                .hasSize(3_010)
                .doesNotHaveDuplicates()
                .contains("{\"t\":1000000,\"p\":0,\"a\":1}", "{\"t\":1100000,\"p\":0,\"b\":2}");
    }

    @Test
    void reportsWhatItHasDone() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("tidegate.bench:type=generator,connector=\"g\",task=0");
        GeneratorSourceTask task = new GeneratorSourceTask();
        task.start(tasks(config("10@1"), 1).get(0));
        GeneratorReportMXBean report = JMX.newMXBeanProxy(beans, name, GeneratorReportMXBean.class);

        List<SourceRecord> records = all(task);
        assertThat(report.getSent()).isEqualTo(10);
        assertThat(report.getAccepted()).isZero();
        assertThat(report.getLatestMicros()).hasSize(1);
        assertThat(report.getLatestMicros()[0]).isPositive();
        assertThat(report.isDone()).isFalse();

        records.forEach(record -> task.commitRecord(record, TAKEN));
        assertThat(report.getAccepted()).isEqualTo(10);
        assertThat(report.isDone()).isTrue();

        task.stop();
        assertThat(beans.isRegistered(name)).isFalse();
    }

    @Test
    void saysWhatIsWrongWithItsSettings() {
        assertThatThrownBy(() -> GeneratorSettings.of(config("10")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Invalid value [10] for configuration phases: not RATE@SECONDS, FROM-TO@SECONDS or"
                        + " unbounded@SECONDS: 10");
        GeneratorSourceTask task = new GeneratorSourceTask();
        payload = folder.resolve("none");
        assertThatThrownBy(() -> task.start(tasks(config("10@1"), 1).get(0)))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Invalid value " + payload
                        + " for configuration payload.file: cannot be read: NoSuchFileException");
    }
}
