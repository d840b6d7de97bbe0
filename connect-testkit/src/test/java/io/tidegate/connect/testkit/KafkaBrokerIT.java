package io.tidegate.connect.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

final class KafkaBrokerIT {
    @Test
    void keepsRecordsThroughKillAndRestart() throws Exception {
        try (KafkaBroker broker = KafkaBroker.builder().fastStart().build()) {
            broker.start();
            broker.createTopic("gauges", 2);
            assertThat(send(broker, "gauges")).isZero();

            broker.kill();
            assertThat(broker.isRunning()).isFalse();
            broker.start();

            assertThat(send(broker, "gauges")).isEqualTo(1);
            broker.restart();
            assertThat(send(broker, "gauges")).isEqualTo(2);
            assertThat(broker.cpuTime()).isPositive();
        }
    }

    @Test
    void refusesATopicThatIsThereAndNamesIt() {
        try (KafkaBroker broker = KafkaBroker.builder().fastStart().build()) {
            broker.start();
            broker.createTopic("gauges", 1);
            assertThatThrownBy(() -> broker.createTopic("gauges", 1))
                    .isInstanceOf(ServerException.class)
                    .hasMessageContaining("did not create topic gauges")
                    .hasMessageContaining("already exists");
            broker.deleteTopic("gauges");
        }
    }

    @Test
    void saysWithItsLogWhyItDoesNotStart() {
        try (KafkaBroker broker = KafkaBroker.builder()
                .fastStart()
                .property("num.io.threads", "none")
                .build()) {
            assertThatThrownBy(broker::start)
                    .isInstanceOf(ServerException.class)
                    .hasMessageContaining("ended with exit code 1 while it started")
                    .hasMessageContaining(broker.log().toString())
                    .hasMessageContaining("num.io.threads");
        }
    }

    private static long send(KafkaBroker broker, String topic) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", broker.bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            return producer.send(new ProducerRecord<>(topic, 0, "k", "v")).get().offset();
        }
    }
}
