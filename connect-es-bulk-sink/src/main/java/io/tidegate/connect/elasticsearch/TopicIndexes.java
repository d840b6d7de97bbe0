package io.tidegate.connect.elasticsearch;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.DestinationRule;
import io.tidegate.connect.common.spi.RefusedException;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.sink.SinkRecord;

/** The index of a record by its topic, after the transforms. The task thread uses it. */
final class TopicIndexes implements DestinationRule {
    /** Transforms may make up topics without end. */
    private static final int MAX_CACHED = 10_000;

    private final IndexSettings settings;
    private final Map<String, String> byTopic = new HashMap<>();

    TopicIndexes(IndexSettings settings) {
        this.settings = requireNonNull(settings, "settings");
    }

    @Override
    public String destinationOf(SinkRecord record) {
        String known = byTopic.get(record.topic());
        return known != null ? known : remember(record.topic());
    }

    private String remember(String topic) {
        if (byTopic.size() >= MAX_CACHED) {
            byTopic.clear();
        }
        try {
            String index = settings.indexOf(topic);
            byTopic.put(topic, index);
            return index;
        } catch (IllegalArgumentException e) {
            throw new RefusedException("topic " + topic + " gives no index: " + e.getMessage() + "; change "
                    + IndexSettings.INDEX_NAME + " or " + IndexSettings.TOPIC_INDEX_MAP);
        }
    }
}
