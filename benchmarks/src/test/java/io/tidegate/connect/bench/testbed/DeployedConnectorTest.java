package io.tidegate.connect.bench.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DeployedConnectorTest {
    @Test
    void tellsTheReasonsOfAStackTraceAndNotItsFrames() {
        String trace = """
                org.apache.kafka.connect.errors.ConnectException: Exiting WorkerSinkTask
                \tat org.apache.kafka.connect.runtime.WorkerSinkTask.deliverMessages(WorkerSinkTask.java:1)
                Caused by: org.apache.kafka.connect.errors.ConnectException: no such table
                \t... 5 more
                """;

        assertThat(DeployedConnector.reason(trace))
                .isEqualTo("org.apache.kafka.connect.errors.ConnectException: Exiting WorkerSinkTask\n"
                        + "  Caused by: org.apache.kafka.connect.errors.ConnectException: no such table");
    }
}
