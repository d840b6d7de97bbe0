package io.tidegate.connect.lab.tides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NoaaResponseTest {
    private static final String METADATA =
            "{\"metadata\":{\"id\":\"9447130\",\"name\":\"Seattle\",\"lat\":\"47.6026\",\"lon\":\"-122.3393\"},\n";

    @TempDir
    private Path folder;

    @Test
    void makesOneFlatRecordOfEachReading() throws Exception {
        Collector records = stream(METADATA
                + "\"data\":[{\"t\":\"2015-01-01 00:00\",\"v\":\"1.798\",\"s\":\"0.023\",\"f\":\"0,0,0,0\",\"q\":\"v\"},"
                + "{\"t\":\"2015-01-01 00:06\",\"v\":\"-0.05\",\"s\":\"0.02\",\"f\":\"1,0,0,0\",\"q\":\"p\"}]}");

        assertThat(records.keys).containsExactly("9447130", "9447130");
        assertThat(records.values)
                .containsExactly(
                        "{\"station\":\"9447130\",\"name\":\"Seattle\",\"state\":\"WA\",\"location\":{\"lat\":47.6026,"
                                + "\"lon\":-122.3393},\"time\":\"2015-01-01T00:00:00Z\",\"level\":1.798,\"sigma\":0.023,"
                                + "\"flags\":\"0,0,0,0\",\"quality\":\"v\",\"product\":\"water_level\"}",
                        "{\"station\":\"9447130\",\"name\":\"Seattle\",\"state\":\"WA\",\"location\":{\"lat\":47.6026,"
                                + "\"lon\":-122.3393},\"time\":\"2015-01-01T00:06:00Z\",\"level\":-0.050,\"sigma\":0.020,"
                                + "\"flags\":\"1,0,0,0\",\"quality\":\"p\",\"product\":\"water_level\"}");
    }

    @Test
    void readsARealResponse() throws Exception {
        Path file = Path.of("../benchmarks/data/seattle-2015-01-every-2-hours.json");

        Collector records = Collector.of(TideSources.files(List.of(file)), Long.MAX_VALUE);

        assertThat(records.values).hasSize(361);
        assertThat(records.values.get(360)).contains("\"time\":\"2015-01-31T00:00:00Z\",\"level\":2.098");
    }

    @Test
    void stopsAtTheLimit() throws Exception {
        Path file = write(METADATA + "\"data\":[{\"t\":\"2015-01-01 00:00\"},{\"t\":\"2015-01-01 00:06\"}, broken");

        assertThat(Collector.of(TideSources.files(List.of(file)), 2).values).hasSize(2);
    }

    @Test
    void keepsAReadingWithoutALevel() throws Exception {
        Collector records = stream(METADATA + "\"data\":[{\"t\":\"2015-01-01 00:00\",\"v\":\"\",\"s\":\"\"}]}");

        assertThat(records.values.get(0)).contains("\"level\":null,\"sigma\":null,\"flags\":\"\"");
    }

    @Test
    void tellsWhatNoaaComplainedAbout() {
        assertThatThrownBy(() -> stream("{\"error\": {\"message\":\" No data was found.\\n Please try again. \"}}"))
                .isInstanceOf(ToolException.class)
                .hasMessage(path() + ": NOAA responded with an error: No data was found. Please try again.");
    }

    @Test
    void namesThePositionWhereAFileBreaksOff() {
        assertThatThrownBy(() -> stream(METADATA + "\"data\":[{\"t\":\"2015-01-01 00:00\",\"v\":\"1.7"))
                .isInstanceOf(ToolException.class)
                .hasMessage(path() + ":2:41: the JSON ends in the middle of a value");
    }

    @Test
    void namesThePositionOfWhatIsNotJson() {
        assertThatThrownBy(() -> stream(METADATA + "\"data\":[{\"t\":oops"))
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith(path() + ":2:")
                .hasMessageContaining("not JSON: Unrecognized token 'oops'")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    @Test
    void refusesValuesOfTheWrongForm() {
        assertRefused(
                "\"data\":[{\"t\":\"2015-01-01\"}]}",
                "the time \"2015-01-01\" does not have the form 2015-01-01 00:00");
        assertRefused("\"data\":[{\"t\":\"2015-01-01 00:00\",\"v\":\"high\"}]}", "\"v\" is not a number: \"high\"");
        assertRefused("\"data\":[{\"t\":\"2015-01-01 00:00\",\"v\":\"1e9\"}]}", "\"v\" is out of range: \"1e9\"");
        assertRefused("\"data\":[{\"v\":\"1.0\"}]}", "\"t\" is missing");
        assertRefused("\"data\":[7]}", "expected a reading");
        assertRefused("\"data\":{}}", "expected an array as \"data\"");
        assertRefused("\"data\":[]} {}", "there is more text after the response");
        assertRefused("\"other\":1}", "contains no \"data\" array");
    }

    @Test
    void refusesReadingsWhoseStationIsUnknown() {
        assertThatThrownBy(() -> stream("{\"data\":[{\"t\":\"2015-01-01 00:00\"}]}"))
                .isInstanceOf(ToolException.class)
                .hasMessageEndingWith("\"data\" comes before the station's \"metadata\"");
    }

    private void assertRefused(String rest, String reason) {
        assertThatThrownBy(() -> stream(METADATA + rest))
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith(path().toString())
                .hasMessageEndingWith(reason);
    }

    private Collector stream(String content) throws Exception {
        return Collector.of(TideSources.files(List.of(write(content))), Long.MAX_VALUE);
    }

    private Path write(String content) throws Exception {
        return Files.writeString(path(), content);
    }

    private Path path() {
        return folder.resolve("response.json");
    }
}
