package io.tidegate.connect.quickstart.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.Snapshot.Details;
import io.tidegate.connect.quickstart.view.Snapshot.Level;
import io.tidegate.connect.quickstart.view.Snapshot.SinkState;
import io.tidegate.connect.quickstart.view.Snapshot.Tide;
import io.tidegate.connect.quickstart.view.View.Phase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code look-web} opens the page with the states in {@code src/test/resources/states}, so they must be what is served. */
final class WebViewTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path STATES = Path.of("src/test/resources/states");
    private static final Instant NEW_YEAR = Instant.parse("2015-01-01T00:00:00Z");

    private final HttpClient http = HttpClient.newHttpClient();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final View terminal = new PlainView(new PrintStream(bytes, true, UTF_8));

    @Test
    void showsTheMessagesWhileTheServersStart() throws Exception {
        try (WebView view = tides()) {
            assertState(view, "starting");
        }
    }

    @Test
    void showsWhatIsUnknownAsUnknown() throws Exception {
        try (WebView view = tides()) {
            stream(view);

            JsonNode es = assertState(view, "streaming").at("/sinks/es");
            assertThat(es.path("inFlight").isNull()).isTrue();
            assertThat(es.has("tide")).isFalse();
        }
    }

    @Test
    void showsTheResultsAtTheEnd() throws Exception {
        try (WebView view = tides()) {
            stream(view);
            finish(view);
            assertState(view, "finished");
        }
    }

    @Test
    void showsOnlyTheSinksOfThisRun() throws Exception {
        try (WebView view = tides()) {
            Details details = new Details(OptionalLong.of(0), Optional.of(tide(66)));
            view.show(new Snapshot(
                    Duration.ofMillis(4_300), 100_000, 100_000, List.of(sink(Sink.JSONB, 100_000, 28_571, details))));
            view.enter(Phase.CHECKING);
            assertThat(assertState(view, "one-sink").path("sinks")).hasSize(1);
        }
    }

    @Test
    void showsWhyItFailed() throws Exception {
        try (WebView view = tides()) {
            stream(view);
            view.fail(
                    "no progress for 60 s: 58000 of 100000 records produced\nes has 20500; connector tides-es RUNNING");
            assertState(view, "failed");
        }
    }

    @Test
    void showsChangedRowsOnlyOnThePage() throws Exception {
        try (WebView view = new WebView(terminal, true, new WebPage(0, Duration.ZERO))) {
            view.enter(Phase.STREAMING);
            view.show(changed(940, 1000));
            assertState(view, "changing");
            view.show(changed(1000, 1000));
            for (Sink sink : Sink.values()) {
                view.say("RESULT " + sink + " rows=1000 equal=1000");
                view.say("LATENCY " + sink
                        + " from commit to commit, of 50 changes: median 21 ms, 90 % within 38 ms, highest 64 ms");
            }
            view.enter(Phase.FINISHED);
            assertState(view, "changed");
        }
        assertThat(said()).contains("LATENCY es").doesNotContain("produced");
    }

    @Test
    void keepsPasswordsFromThePage() throws Exception {
        try (WebView view = tides()) {
            view.sayInPrivate("psql 'postgresql://postgres:secret@127.0.0.1/postgres'");

            assertThat(state(view).toString()).doesNotContain("secret");
            assertThat(said()).contains("secret");
        }
    }

    @Test
    void showsTheTerminalAsManySnapshotsAsWithoutAPage() throws Exception {
        try (WebView view = new WebView(terminal, false, new WebPage(0, Duration.ZERO))) {
            for (int half = 1; half <= 10; half++) {
                view.show(new Snapshot(Duration.ofMillis(500L * half), half, 10, List.of()));
            }
            assertThat(state(view).path("produced").asInt()).isEqualTo(10);
        }
        assertThat(said().lines()).hasSize(2);
    }

    @Test
    void keepsTheLatestMessages() throws Exception {
        try (WebView view = new WebView(terminal, false, new WebPage(0, Duration.ZERO))) {
            IntStream.rangeClosed(1, 600).forEach(i -> view.say("line " + i));

            JsonNode lines = state(view).path("lines");
            assertThat(lines).hasSize(500);
            assertThat(lines.get(499).asText()).isEqualTo("line 600");
        }
    }

    private WebView tides() throws ToolException {
        WebView view = new WebView(terminal, false, new WebPage(0, Duration.ZERO));
        view.say("Starting servers");
        view.say("    2.8 s  PostgreSQL 127.0.0.1:41234");
        view.say("   11.9 s  Elasticsearch 8.19.21 node-1 https://localhost:41236");
        return view;
    }

    private static void stream(WebView view) {
        view.enter(Phase.STREAMING);
        view.say("Streaming 100000 records");
        view.show(new Snapshot(
                Duration.ofMillis(2_150),
                58_000,
                100_000,
                List.of(
                        sink(Sink.JSONB, 41_000, 19_500, new Details(OptionalLong.of(3), Optional.of(tide(30)))),
                        sink(Sink.ES, 20_500, 9_800, Details.NONE))));
    }

    private static void finish(WebView view) {
        Details details = new Details(OptionalLong.of(0), Optional.of(tide(66)));
        view.show(new Snapshot(
                Duration.ofMillis(4_300),
                100_000,
                100_000,
                List.of(sink(Sink.JSONB, 100_000, 28_571, details), sink(Sink.ES, 100_000, 23_256, details))));
        view.say("The highest tides in jsonb:");
        view.say("    Anchorage                                  9.123 m");
        view.say("Steady rate, from 20 % to 90 % of the records: jsonb 41,200 records/s, es 33,100 records/s");
        view.say("RESULT jsonb produced=100000 stored=100000 duplicates=0 seconds=3.5 rate=28571");
        view.say("RESULT es produced=100000 stored=100000 duplicates=0 seconds=4.3 rate=23256");
        view.enter(Phase.FINISHED);
    }

    private static SinkState sink(Sink sink, long stored, long rate, Details details) {
        return new SinkState(sink, stored, OptionalLong.of(rate), OptionalLong.of(100_000 - stored), 5, details);
    }

    private static Snapshot changed(long equal, long rows) {
        OptionalLong unknown = OptionalLong.empty();
        Details details = new Details(OptionalLong.of(1), Optional.empty());
        return new Snapshot(
                Duration.ofSeconds(1),
                rows,
                rows,
                List.of(
                        new SinkState(Sink.JSONB, rows, unknown, unknown, 2, details),
                        new SinkState(Sink.ES, equal, unknown, unknown, 1, details)));
    }

    /** A level every half hour. */
    private static Tide tide(int levels) {
        return new Tide(
                "Seattle",
                IntStream.range(0, levels)
                        .mapToObj(i -> new Level(
                                NEW_YEAR.plusSeconds(1800L * i),
                                Math.round(2000 + 1200 * Math.sin(i / 3.95) + 600 * Math.sin(i / 7.7)) / 1000.0))
                        .toList());
    }

    private JsonNode assertState(WebView view, String name) throws IOException, InterruptedException {
        JsonNode state = state(view);
        assertThat(state).isEqualTo(JSON.readTree(STATES.resolve(name + ".json").toFile()));
        return state;
    }

    private JsonNode state(WebView view) throws IOException, InterruptedException {
        URI address = view.address().resolve("state");
        return JSON.readTree(http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                .body());
    }

    private String said() {
        return bytes.toString(UTF_8);
    }
}
