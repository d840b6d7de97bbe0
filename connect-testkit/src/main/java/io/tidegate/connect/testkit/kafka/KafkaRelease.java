package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.ServerClassPath;
import io.tidegate.connect.testkit.process.ServerRelease;

/** The releases of Kafka that tests can run. */
public enum KafkaRelease {
    /** The release that the project is built with. */
    V4("kafka"),
    /** The last release of its line, which the plugins have to support as well. */
    V3_9("kafka-3.9");

    private final String module;

    KafkaRelease(String module) {
        this.module = module;
    }

    /** The class path of the release that tests run on: {@code -Dtestkit.kafka=4}, the default, or {@code 3.9}. */
    static String classPath() {
        return ServerClassPath.of(ServerRelease.asked("testkit.kafka", KafkaRelease.class, V4).module);
    }
}
