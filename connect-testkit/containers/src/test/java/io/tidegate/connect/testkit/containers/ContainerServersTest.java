package io.tidegate.connect.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.process.ServerException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ContainerServersTest {
    private static final Optional<String> OBSTACLE = Optional.of("no Docker engine responds");

    @Test
    void reportsAnObstacle() {
        assertThat(ContainerServers.failIfRequired(OBSTACLE, false)).isEqualTo(OBSTACLE);
    }

    @Test
    void anObstacleIsAnErrorWhereContainersAreRequired() {
        assertThatThrownBy(() -> ContainerServers.failIfRequired(OBSTACLE, true))
                .isInstanceOf(ServerException.class)
                .hasMessage("TIDEGATE_REQUIRE_CONTAINERS=true, but no Docker engine responds");
        assertThat(ContainerServers.failIfRequired(Optional.empty(), true)).isEmpty();
    }
}
