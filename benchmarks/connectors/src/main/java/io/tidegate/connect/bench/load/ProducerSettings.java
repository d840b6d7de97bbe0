package io.tidegate.connect.bench.load;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The settings of every generator's producer, with room for large records. */
public final class ProducerSettings {
    /** All settings except the broker's address and the serializers. */
    public static final Map<String, String> LOAD = Map.of(
            ProducerConfig.LINGER_MS_CONFIG, "5",
            ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(128 << 10),
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(16 << 20),
            ProducerConfig.BUFFER_MEMORY_CONFIG, Long.toString(64L << 20));

    private ProducerSettings() {}
}
