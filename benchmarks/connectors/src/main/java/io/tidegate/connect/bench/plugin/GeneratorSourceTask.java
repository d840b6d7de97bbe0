package io.tidegate.connect.bench.plugin;

import io.tidegate.connect.bench.load.Stamped;
import io.tidegate.connect.bench.load.Timetable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/**
 * Sends its part of the load, each record when it is due. A record carries its due time, even if the worker or the
 * broker delays the task. A restarted task begins with the first phase that is not over.
 */
public final class GeneratorSourceTask extends SourceTask {
    private static final int MAX_RECORDS = 1_000;
    /** The limit for records that wait on the worker's heap until Connect sends them. */
    private static final int MAX_BYTES = 16 << 20;

    private static final long MAX_WAIT_MICROS = 50_000;
    private static final int NANOS = 1_000;

    private Optional<Load> load = Optional.empty(); // the task's thread writes it

    @Override
    public String version() {
        return NoOpSinkConnector.VERSION;
    }

    @Override
    public void start(Map<String, String> props) {
        load = Optional.of(new Load(props));
    }

    /** Waits a short time for a record that is due. If there is none, Connect calls again. */
    @Override
    public List<SourceRecord> poll() {
        return load.orElseThrow().poll();
    }

    @Override
    public void commitRecord(SourceRecord sent, RecordMetadata metadata) {
        load.ifPresent(running -> running.report.accepted());
    }

    @Override
    public void stop() {
        load.ifPresent(running -> running.report.close());
    }

    /** The state of a started task. */
    private static final class Load {
        private final String topic;
        private final int partitions;
        private final int tasks;
        private final Stamped values;
        private final Timetable timetable;
        private final GeneratorReport report;
        private final Map<String, Integer> source;
        private long number;

        Load(Map<String, String> props) {
            GeneratorSettings settings = GeneratorSettings.of(props);
            int task = Integer.parseInt(props.getOrDefault(GeneratorSourceConnector.TASK, "0"));
            tasks = Integer.parseInt(props.getOrDefault(GeneratorSourceConnector.TASKS, "1"));
            topic = settings.topic();
            partitions = settings.partitions();
            values = settings.values();
            source = Map.of("task", task);
            number = task;
            long now = Timetable.nowMicros();
            timetable = new Timetable(
                    settings.phases(),
                    settings.late(),
                    settings.startMicros() == 0 ? now : settings.startMicros(),
                    task,
                    tasks);
            report = GeneratorReport.publish(
                    props.getOrDefault("name", "generator"),
                    task,
                    settings.phases().size());
        }

        List<SourceRecord> poll() {
            long now = Timetable.nowMicros();
            if (timetable.isOver(now)) {
                report.allSent();
                LockSupport.parkNanos(MAX_WAIT_MICROS * NANOS);
                return null; // tells Connect that there are no records
            }
            long wait = timetable.due(now) - now;
            if (wait > 0) {
                LockSupport.parkNanos(Math.min(wait, MAX_WAIT_MICROS) * NANOS);
                now = Timetable.nowMicros();
            }
            List<SourceRecord> due = due(now);
            return due.isEmpty() ? null : due;
        }

        private List<SourceRecord> due(long now) {
            List<SourceRecord> records = new ArrayList<>();
            long bytes = 0;
            while (records.size() < MAX_RECORDS
                    && bytes < MAX_BYTES
                    && !timetable.isOver(now)
                    && timetable.due(now) <= now) {
                long due = timetable.due(now);
                byte[] value = values.value(number, due, timetable.phase());
                bytes += value.length;
                records.add(new SourceRecord(
                        source,
                        source,
                        topic,
                        (int) (number % partitions),
                        Schema.OPTIONAL_BYTES_SCHEMA,
                        null,
                        Schema.BYTES_SCHEMA,
                        value));
                report.sent(timetable.phase(), now - due);
                timetable.next();
                number += tasks;
            }
            return records;
        }
    }
}
