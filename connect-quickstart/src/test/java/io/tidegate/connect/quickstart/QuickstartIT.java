package io.tidegate.connect.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.quickstart.view.PlainView;
import io.tidegate.connect.quickstart.view.Sink;
import io.tidegate.connect.testkit.process.Poll;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the whole pipeline as a user does, with the plugins of this build. */
final class QuickstartIT {
    private static final int LINES = 3000;

    /** The excerpt of January 2015 has a reading every two hours. */
    private static final int READINGS = 361;

    private static final Duration START = Duration.ofMinutes(1);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ExecutorService threads = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void storesEveryRecordOfEveryFileOnceInBothStores() throws Exception {
        Path response = Path.of("../benchmarks/data/seattle-2015-01-every-2-hours.json");
        Path lines = Files.writeString(
                folder.resolve("lines.jsonl"),
                IntStream.range(0, LINES)
                        .mapToObj(i -> "{\"station\":\"S" + i % 50 + "\",\"name\":\"Station " + i % 50 + "\",\"level\":"
                                + i + "}")
                        .collect(Collectors.joining("\n")));

        Future<List<JsonNode>> read = threads.submit(this::readPage);
        int status =
                run("--input", response.toString(), "--input", lines.toString(), "--tasks", "3", "--web", "--exit");

        String said = out.toString(UTF_8);
        assertThat(err.toString()).isEmpty();
        assertThat(status).as(said).isZero();
        int total = READINGS + LINES;
        for (Sink sink : Sink.values()) {
            assertThat(said.lines())
                    .filteredOn(line -> line.matches("RESULT " + sink + " produced=" + total + " stored=" + total
                            + " duplicates=0 seconds=\\d+\\.\\d rate=\\d+"))
                    .hasSize(1);
        }
        String words = said.replaceAll("\\s+", " ");
        String verdict = String.format(Locale.ROOT, ": %,d of %,d records, each once", total, total);
        assertThat(words).contains("PostgreSQL" + verdict, "Elasticsearch" + verdict);
        assertThat(words).containsPattern("Steady rate, from 20 % to 90 % of the records: jsonb .+, es .+");
        assertThat(words).containsPattern("What limits it: .+ share \\d+ cores and used \\d+ % of them");
        assertThat(said).containsSubsequence("The highest tides in jsonb", "Station 49", "2999.000 m");
        assertThat(said).containsSubsequence("The highest tides in es", "Station 49", "2999.000 m");
        assertPage(read.get(), said, total);
    }

    private static void assertPage(List<JsonNode> states, String said, int total) {
        assertThat(states.get(0).path("phase").asText()).isEqualTo("STARTING");
        assertThat(states.get(0).has("sinks")).isFalse();
        JsonNode last = states.get(states.size() - 1);
        assertThat(last.path("phase").asText()).isEqualTo("FINISHED");
        assertThat(last.path("produced").asInt()).isEqualTo(total);
        List<String> lines = new ArrayList<>();
        last.path("lines").forEach(line -> lines.add(line.asText()));
        assertThat(lines)
                .containsAll(
                        said.lines().filter(line -> line.startsWith("RESULT")).toList());
        JsonNode tide = last.at("/sinks/jsonb/tide");
        assertThat(tide.path("station").asText()).isEqualTo("Seattle");
        assertThat(tide.path("levels")).hasSize(READINGS);
        assertThat(tide.at("/levels/360/0").asLong())
                .isEqualTo(Instant.parse("2015-01-31T00:00:00Z").toEpochMilli());
        for (Sink sink : Sink.values()) {
            JsonNode state = last.at("/sinks/" + sink);
            assertThat(state.path("stored").asInt()).isEqualTo(total);
            assertThat(state.path("lag").isIntegralNumber()).isTrue();
            assertThat(state.path("inFlight").isIntegralNumber()).isTrue();
            assertThat(state.path("connections").asInt()).isPositive();
            assertThat(state.path("tide")).isEqualTo(tide);
        }
    }

    @Test
    void followsChangedRowsIntoBothStores() throws Exception {
        Future<List<JsonNode>> read = threads.submit(this::readPage);
        int status = run("--cdc", "--records", "200", "--web", "--exit");

        String said = out.toString(UTF_8);
        assertThat(err.toString()).isEmpty();
        assertThat(status).as(said).isZero();
        for (Sink sink : Sink.values()) {
            assertThat(said.lines()).contains("RESULT " + sink + " rows=200 equal=200");
            assertThat(said)
                    .containsPattern("LATENCY " + sink
                            + " from commit to commit, of 50 changes: median \\d+ ms, 90 % within \\d+ ms,"
                            + " highest \\d+ ms");
        }
        List<JsonNode> states = read.get();
        JsonNode last = states.get(states.size() - 1);
        assertThat(last.path("phase").asText()).isEqualTo("FINISHED");
        for (Sink sink : Sink.values()) {
            JsonNode state = last.at("/sinks/" + sink);
            assertThat(state.path("stored").asInt()).isEqualTo(200);
            assertThat(state.path("lag").isNull()).isTrue();
            assertThat(state.path("inFlight").isIntegralNumber()).isTrue();
        }
    }

    /** The states that a page reads that is open from the start to the end. */
    private List<JsonNode> readPage() throws InterruptedException {
        Poll.until(() -> address().isPresent(), START);
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(address().orElseThrow() + "state"))
                .build();
        List<JsonNode> states = new ArrayList<>();
        try {
            do {
                states.add(JSON.readTree(client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body()));
                Poll.pause(LOOK);
            } while (!states.get(states.size() - 1).path("ended").asBoolean());
        } catch (IOException e) {
            // The quickstart has ended.
        }
        return states;
    }

    private Optional<String> address() {
        Matcher line =
                Pattern.compile("Live view: (http://127\\.0\\.0\\.1:\\d+/)\\R").matcher(out.toString(UTF_8));
        return line.find() ? Optional.of(line.group(1)) : Optional.empty();
    }

    private int run(String... args) {
        Path root = Path.of("").toAbsolutePath().getParent();
        return Quickstart.commandLine(root, new PlainView(new PrintStream(out, true, UTF_8)))
                .setErr(new PrintWriter(err))
                .execute(args);
    }
}
