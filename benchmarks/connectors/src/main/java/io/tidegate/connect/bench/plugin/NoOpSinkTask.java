package io.tidegate.connect.bench.plugin;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** Ignores every record. The worker's own metrics count them. The task's thread calls it. */
public final class NoOpSinkTask extends SinkTask {
    @Override
    public String version() {
        return NoOpSinkConnector.VERSION;
    }

    @Override
    public void start(Map<String, String> props) {
        // Nothing to prepare.
    }

    @Override
    public void put(Collection<SinkRecord> records) {
        // Ignored.
    }

    @Override
    public void stop() {
        // Nothing was opened.
    }
}
