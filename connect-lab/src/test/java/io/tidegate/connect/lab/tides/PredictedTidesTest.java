package io.tidegate.connect.lab.tides;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

final class PredictedTidesTest {
    @Test
    void predictsEveryStationEverySixMinutes() throws Exception {
        int stations = TideStations.all().list().size();
        Collector records = Collector.of(TideSources.predicted(), stations * 2L);

        assertThat(new HashSet<>(records.keys)).hasSize(stations);
        assertThat(records.values.get(0)).contains("\"time\":\"2015-01-01T00:00:00Z\"");
        assertThat(records.values.get(stations)).contains("\"time\":\"2015-01-01T00:06:00Z\"");
    }

    @Test
    void writesJsonOfAboutTwoHundredBytes() throws Exception {
        Collector records = Collector.of(TideSources.predicted(), 1000);

        assertThat(records.values).allSatisfy(json -> assertThat(json.length()).isBetween(180, 280));
        for (String json : records.values) {
            JsonNode reading = new ObjectMapper().readTree(json);
            assertThat(reading.get("level").isNumber()).isTrue();
            assertThat(reading.get("product").asText()).isEqualTo("predictions");
        }
    }

    @Test
    void givesTheSameRecordsEveryTime() throws Exception {
        TideSource source = TideSources.predicted();

        assertThat(Collector.of(source, 5000).values).isEqualTo(Collector.of(source, 5000).values);
    }

    @Test
    void stopsAtTheLimitInTheMiddleOfAMoment() throws Exception {
        assertThat(Collector.of(TideSources.predicted(), 7).values).hasSize(7);
    }
}
