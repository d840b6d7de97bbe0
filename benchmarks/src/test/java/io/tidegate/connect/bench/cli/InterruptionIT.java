package io.tidegate.connect.bench.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C in the middle of a measurement on real servers: a separate JVM, as {@code ./bench} starts it, gets the signal. */
final class InterruptionIT {
    private static final Duration UNTIL_ENDED = Duration.ofMinutes(2);
    private static final Duration UNTIL_GONE = Duration.ofSeconds(30);
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;

    /** Of both, for PostgreSQL's programs and first data are kept in it. */
    @TempDir
    private static Path temporary;

    @TempDir
    private Path folder;

    private Path results;
    private Process bench;
    private List<ProcessHandle> servers = List.of();

    @BeforeEach
    void chooseFolder() {
        results = folder.resolve("results");
    }

    @AfterEach
    void endEverything() {
        bench.descendants().forEach(ProcessHandle::destroyForcibly);
        bench.destroyForcibly();
        servers.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void aLoadThatIsStoppedKeepsThePhasesThatAreOverAndLeavesNothingBehind() throws Exception {
        Path load = Files.writeString(folder.resolve("load.yaml"), """
                warm-up-seconds: 0
                phases:
                  - {name: over, rate: 200, seconds: 5}
                  - {name: endless, rate: 100, seconds: 3600}
                """);

        List<String> said = interrupted("of 3605 s: ", "workload", load.toString(), "--out", results.toString());

        assertThat(said).contains("Partial results: " + results, "bench: stopped");
        Results kept = partialResults();
        assertThat(kept.runs()).extracting(Run::entrant).containsExactly("jsonb, 2 tasks: over");
        assertThat(kept.runs().get(0).measure(Measure.STORED).orElseThrow()).isPositive();
        assertThat(kept.runs().get(0).measure(Measure.LATENCY_P99)).isPresent();
        assertNothingIsLeft();
    }

    @Test
    void aSweepThatIsStoppedKeepsTheRunsThatAreOverAndGoesOnWithTheOthers() throws Exception {
        Path sweep = Files.writeString(folder.resolve("sweep.yaml"), """
                records: 1000
                runs: 4
                warm-ups: 0
                """);

        List<String> said = interrupted("[2/4, ", "sweep", sweep.toString(), "--out", results.toString());

        assertThat(said).contains("Partial results: " + results, "bench: stopped");
        List<Run> kept = partialResults().runs();
        assertThat(kept).hasSizeBetween(2, 3).allMatch(Run::isOk);
        assertNothingIsLeft();

        bench = start("sweep", sweep.toString(), "--out", results.toString());
        try (BufferedReader rest = bench.inputReader(UTF_8)) {
            assertThat(rest.lines()).contains("  " + kept.size() + " runs are already done", "Results: " + results);
        }
        Results all = new ResultFiles(results).read();
        assertThat(all.complete()).isTrue();
        assertThat(all.runs())
                .startsWith(kept.toArray(Run[]::new))
                .extracting(Run::round)
                .containsExactly(1, 2, 3, 4);
    }

    /** Sends the signal as soon as a line holds the word; returns what was said from then on. */
    private List<String> interrupted(String word, String... arguments) throws Exception {
        int signal = isInterruptIgnored() ? SIGTERM : SIGINT;
        bench = start(arguments);
        try (BufferedReader said = bench.inputReader(UTF_8)) {
            List<String> before = new ArrayList<>();
            String line;
            while ((line = said.readLine()) != null && !line.contains(word)) {
                before.add(line);
            }
            assertThat(line).as(String.join("\n", before)).isNotNull();
            servers = bench.descendants().toList();
            assertThat(servers).hasSizeGreaterThan(3);
            new ProcessBuilder("kill", "-" + signal, Long.toString(bench.pid()))
                    .start()
                    .waitFor();
            List<String> after = said.lines().collect(Collectors.toList());
            assertThat(bench.waitFor(UNTIL_ENDED.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(bench.exitValue()).as(String.join("\n", after)).isEqualTo(128 + signal);
            return after;
        }
    }

    /** What a script starts in the background never sees Ctrl-C, and neither does what it starts; SIGTERM goes the same way. */
    private static boolean isInterruptIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        long ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(line.replaceFirst("SigIgn:\\s*", ""), 16))
                .sum();
        return (ignored >> (SIGINT - 1) & 1) == 1;
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dtestkit.fast=true",
                "-Djava.io.tmpdir=" + temporary,
                "-Dtidegate.home=" + Path.of("").toAbsolutePath().getParent(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                Bench.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private Results partialResults() throws Exception {
        Results kept = new ResultFiles(results).read();
        assertThat(kept.complete()).isFalse();
        assertThat(results.resolve("report.html")).content().contains("did not finish");
        assertThat(results.resolve("charts")).isDirectoryContaining("glob:**.png");
        assertThat(Files.readAllLines(results.resolve("results.csv")))
                .hasSize(1 + kept.runs().size())
                .allSatisfy(line -> assertThat(line).containsPattern(",complete,|,false,false,|,true,false,"));
        return kept;
    }

    /** PostgreSQL's programs and what initdb makes, once and for all, without what is half made. */
    private static boolean isCache(Path path) {
        String name = String.valueOf(path.getFileName());
        String[] made = name.contains("-postgres-data-") ? path.toFile().list() : new String[0];
        return name.contains("-postgres-binaries-")
                || (name.contains("-postgres-data-")
                        && Stream.of(made).noneMatch(each -> each.matches("(fresh|password)-.*")));
    }

    private void assertNothingIsLeft() {
        Awaitility.await().atMost(UNTIL_GONE).untilAsserted(() -> {
            assertThat(servers).noneMatch(ProcessHandle::isAlive);
            try (Stream<Path> left = Files.list(temporary)) {
                assertThat(left).allMatch(InterruptionIT::isCache);
            }
        });
    }
}
