package io.tidegate.connect.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PlacementScenarioTest {
    @Test
    void recommendsAsManyTasksForEachWorkerAsThePartitionsAllow() {
        assertThat(PlacementScenario.recommended(2, 4)).isEqualTo(4);
        assertThat(PlacementScenario.recommended(2, 5)).isEqualTo(4);
        assertThat(PlacementScenario.recommended(3, 8)).isEqualTo(6);
        assertThat(PlacementScenario.recommended(3, 2)).isEqualTo(2);
    }
}
