package io.tidegate.connect.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

final class KeptBrokerIT {
    /** Joins a group, and leaves it only when its session expires. */
    private static void consume(Kafka broker) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "group.id",
                "readers",
                "group.instance.id",
                "one",
                "session.timeout.ms",
                "3000",
                "heartbeat.interval.ms",
                "1000",
                "auto.offset.reset",
                "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("tides"));
            while (consumer.assignment().isEmpty()) {
                consumer.poll(Duration.ofMillis(100));
            }
            consumer.commitSync();
        }
    }

    @Test
    void isEmptiedForTheNextClassOrClosed() throws Exception {
        Kafka first = new KeptBroker();
        first.start();
        long process = first.pid();
        first.createTopic("tides", 2);
        consume(first);
        first.close();

        Kafka second = new KeptBroker();
        second.start();
        assertThat(second.pid()).isEqualTo(process);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", second.bootstrapServers()))) {
            assertThat(admin.listTopics().names().get()).isEmpty();
            assertThat(admin.listGroups().all().get()).isEmpty();
        }
        second.createTopic("tides", 1);
        second.kill();
        second.close();

        try (Kafka third = new KeptBroker()) {
            third.start();
            third.createTopic("tides", 1);
            assertThat(third.pid()).isNotEqualTo(process);
        }
    }
}
