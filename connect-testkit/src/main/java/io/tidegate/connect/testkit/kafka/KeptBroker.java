package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.KeptServer;

/** A {@link KafkaBroker} without any topic or group that the test classes of this JVM use one after the other. */
public final class KeptBroker extends KeptServer<KafkaBroker> implements Kafka {
    private static final Kept<KafkaBroker> KEPT =
            new Kept<>(() -> KafkaBroker.builder().fastStart().build());

    public KeptBroker() {
        super(KEPT);
    }

    @Override
    public String bootstrapServers() {
        return server().bootstrapServers();
    }

    @Override
    protected void empty(KafkaBroker used) {
        new KafkaAdmin(used.bootstrapServers()).deleteEverything();
    }
}
