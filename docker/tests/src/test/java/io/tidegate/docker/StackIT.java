package io.tidegate.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.testkit.process.Commands;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Starts the stack of the README as a reader does. */
final class StackIT {
    private static final Duration DONE = Duration.ofMinutes(10);

    @BeforeEach
    void skipWithoutContainers() {
        Containers.skipWithoutThem(getClass());
    }

    @Test
    void thePipelineStoresInBothStoresWhatIsSentToIt() {
        String printed = Commands.printed(
                List.of(Stack.DOCKER.resolve("check-stack").toString(), "pipeline", "10000"),
                Map.of("COMPOSE_PROJECT_NAME", "tidegate-test-pipeline"),
                DONE);
        assertThat(printed.lines())
                .containsExactly(
                        "postgres has what was sent: count, least, largest and sum are 10000 1 10000 50005000",
                        "elasticsearch has what was sent: count, least, largest and sum are 10000 1 10000 50005000");
    }
}
