package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.ServerClassPath;
import io.tidegate.connect.testkit.process.ServerRelease;

/** The releases of Kafka that a {@link KafkaBroker} and a {@link ConnectWorker} can be. */
public enum KafkaRelease {
    /** The newest that the project is built with. */
    V4("kafka"),
    /** The last one of its line, on which the plugins have to run as well. */
    V3_9("kafka-3.9");

    private final String module;

    KafkaRelease(String module) {
        this.module = module;
    }

    /** Of the release that tests run on: {@code -Dtestkit.kafka=4}, which is the default, or {@code 3.9}. */
    static String classPath() {
        return ServerClassPath.of(ServerRelease.asked("testkit.kafka", KafkaRelease.class, V4).module);
    }
}
