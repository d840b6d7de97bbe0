package io.tidegate.connect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CoordinatesTest {
    private final Coordinates coordinates = new Coordinates(new Produced(List.of(2L, 1L)));

    @Test
    void acceptsEachProducedRecordOnce() {
        coordinates.found("tides+0+0");
        coordinates.found("tides+0+1");
        coordinates.found("tides+1+0");

        assertThat(coordinates.surplus()).isZero();
    }

    @Test
    void countsARecordFoundAgain() {
        coordinates.found("tides+0+1");
        coordinates.found("tides+0+1");

        assertThat(coordinates.surplus()).isEqualTo(1);
    }

    @Test
    void countsWhatWasNeverProduced() {
        coordinates.found("tides+0+2");
        coordinates.found("tides+2+0");
        coordinates.found("tides+0+-1");
        coordinates.found("Ab3kP0BTides");

        assertThat(coordinates.surplus()).isEqualTo(4);
    }
}
