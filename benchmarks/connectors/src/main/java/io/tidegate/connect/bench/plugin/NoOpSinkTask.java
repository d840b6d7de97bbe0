package io.tidegate.connect.bench.plugin;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** Forgets what it is given; the worker's own metrics count it. Called by the task's thread. */
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
        // Forgotten.
    }

    @Override
    public void stop() {
        // Nothing was opened.
    }
}
