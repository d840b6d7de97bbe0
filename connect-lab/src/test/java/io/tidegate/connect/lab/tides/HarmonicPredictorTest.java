package io.tidegate.connect.lab.tides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HarmonicPredictorTest {
    private static final double STORM_SURGE_METRES = 0.15;

    @Test
    void predictsWhatSeattlesGaugeObserved() throws Exception {
        TideStation seattle = TideStations.all().find(TideStations.SEATTLE).orElseThrow();
        HarmonicPredictor predictor = new HarmonicPredictor(List.of(seattle), Constituent.seattle());
        JsonNode readings = observed();
        double squares = 0;
        double sum = 0;
        for (JsonNode reading : readings) {
            double error = predict(predictor, reading.get("t").asText())
                    - Double.parseDouble(reading.get("v").asText());
            squares += error * error;
            sum += error;
        }

        assertThat(Math.sqrt(squares / readings.size())).isLessThan(STORM_SURGE_METRES);
        assertThat(sum / readings.size()).isCloseTo(0, within(0.05));
    }

    @Test
    void givesEachStationATideOfItsOwnAndAlwaysTheSame() {
        List<TideStation> stations = TideStations.all().list();
        double[] first = new double[stations.size()];
        double[] second = new double[stations.size()];
        new HarmonicPredictor(stations, Constituent.seattle()).predict(1_420_070_400, first);
        new HarmonicPredictor(stations, Constituent.seattle()).predict(1_420_070_400, second);

        assertThat(first).isEqualTo(second);
        assertThat(Arrays.stream(first).distinct().count()).isGreaterThan(stations.size() * 9L / 10);
    }

    private static double predict(HarmonicPredictor predictor, String time) {
        double[] level = new double[1];
        predictor.predict(Instant.parse(time.replace(' ', 'T') + ":00Z").getEpochSecond(), level);
        return level[0];
    }

    private static JsonNode observed() throws Exception {
        try (InputStream in = Files.newInputStream(Path.of("../benchmarks/data/seattle-2015-01-every-2-hours.json"))) {
            return new ObjectMapper().readTree(in).get("data");
        }
    }
}
