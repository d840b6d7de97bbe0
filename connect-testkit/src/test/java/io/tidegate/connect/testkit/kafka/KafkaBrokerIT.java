package io.tidegate.connect.testkit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.process.ServerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KafkaBrokerIT {
    private final KafkaBroker shared = KafkaBroker.builder().fastStart().build();

    @BeforeAll
    void start() {
        shared.start();
    }

    @AfterAll
    void close() {
        shared.close();
    }

    @Test
    void keepsRecordsThroughAKill() throws Exception {
        shared.createTopic("survives", 2);
        assertThat(send("survives")).isZero();

        shared.kill();
        assertThat(shared.isRunning()).isFalse();
        shared.start();

        assertThat(send("survives")).isEqualTo(1);
        assertThat(shared.cpuTime()).isPositive();
    }

    /** Otherwise the broker could accept the second batch before the first one; see {@link KafkaAdmin}. */
    @Test
    void takesABurstAsSoonAsTheTopicIsThere() throws Exception {
        Map<String, Object> config =
                Map.of("bootstrap.servers", shared.bootstrapServers(), "delivery.timeout.ms", "40000");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (int topic = 0; topic < 5; topic++) {
                shared.createTopic("gauges-" + topic, 4);
                List<Future<RecordMetadata>> sent = new ArrayList<>();
                for (int n = 0; n < 5_000; n++) {
                    sent.add(producer.send(
                            new ProducerRecord<>("gauges-" + topic, n % 4, "key", "a value of some length " + n)));
                }
                for (int n = 0; n < sent.size(); n++) {
                    assertThat(sent.get(n).get().offset()).isEqualTo(n / 4);
                }
            }
        }
    }

    @Test
    void refusesATopicThatIsThereAndNamesIt() {
        shared.createTopic("twice", 1);
        assertThatThrownBy(() -> shared.createTopic("twice", 1))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("did not create topic twice")
                .hasMessageContaining("already exists");
        shared.deleteTopic("twice");
    }

    @Test
    void saysWithItsLogWhyItDoesNotStart() {
        try (KafkaBroker broker = KafkaBroker.builder()
                .fastStart()
                .property("num.io.threads", "none")
                .build()) {
            assertThatThrownBy(broker::start)
                    .isInstanceOf(ServerException.class)
                    .hasMessageContaining("exited with code 1 while it started")
                    .hasMessageContaining(broker.log().toString())
                    .hasMessageContaining("num.io.threads");
        }
    }

    private long send(String topic) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", shared.bootstrapServers());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            return producer.send(new ProducerRecord<>(topic, 0, "k", "v")).get().offset();
        }
    }
}
