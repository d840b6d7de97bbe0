package io.tidegate.connect.check.mutation;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A copy of the checkout, with one defect at a time. The copy is a clone, so that changes that are not committed are not in
 * it. Used by one thread.
 *
 * @param folder of the copy, which is kept from run to run so that later builds are short
 */
record MutatedCheckout(Path home, Path folder) {
    private static final int MINUTES = 15;
    private static final Schedules CORE =
            new Schedules("connect-common", List.of("-Dtest=PipelineScheduleTest", "-DskipITs"), 6_000);
    private static final Schedules SEARCH =
            new Schedules("connect-es-bulk-sink", List.of("-Dtest=ElasticsearchScheduleTest", "-DskipITs"), 3_000);
    private static final Schedules ROWS =
            new Schedules("connect-jsonb-sink", List.of("-Dtest=NoTest", "-Dit.test=*ScheduleIT"), 500);
    private static final Schedules TOOLS = new Schedules(
            "connect-tools", List.of("-Dtest=NoTest", "-Dit.test=DamageIT", "-Dtidegate.damage.cases=120"), 0);
    private static final Map<String, List<Schedules>> OF_SINK = Map.of(
            "jsonb", List.of(CORE, ROWS),
            "es", List.of(CORE, SEARCH),
            "both", List.of(CORE, SEARCH, ROWS),
            "tools", List.of(TOOLS));
    private static final String REASON = "schedules=1): "; // what a test of schedules prints before its reason
    private static final Pattern SEED = Pattern.compile("seed (\\d+) \\(again");
    private static final Pattern FAILED =
            Pattern.compile("Time elapsed: ([0-9.]+) s <<< (?:FAILURE|ERROR)! -- in \\S*\\.(\\w+)");

    /** So many schedules of one module: about two minutes on two cores. */
    private record Schedules(String module, List<String> tests, int count) {}

    /**
     * Builds the plugins with this defect, and runs schedules: the core over stores of the tests, the Elasticsearch sink
     * over a simulated Elasticsearch, the JSONB sink over a PostgreSQL in trouble. For the tools it draws damage and
     * compares what they repair.
     *
     * @return the schedule that failed first; if it is empty, the plugins are ready
     */
    Optional<MutationRun.Found> build(Mutation mutation) throws ToolException, InterruptedException {
        if (!Files.isDirectory(folder.resolve(".git"))) {
            run(home, List.of("git", "clone", "-q", "--shared", home.toString(), folder.toString()));
        }
        run(folder, List.of("git", "fetch", "-q", "origin"));
        run(folder, List.of("git", "reset", "-q", "--hard", head()));
        run(folder, List.of("git", "apply", mutation.patch().toString()));
        for (Schedules schedules : OF_SINK.get(mutation.sink())) {
            Optional<MutationRun.Found> found = run(schedules);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<MutationRun.Found> run(Schedules schedules) throws ToolException, InterruptedException {
        List<String> maven = new ArrayList<>(
                List.of("mvn", "-o", "-q", "-Dstyle.color=never", "-Dsurefire.rerunFailingTestsCount=0", "verify"));
        maven.addAll(schedules.tests());
        maven.add("-Dtidegate.schedules=" + schedules.count());
        maven.addAll(Stream.of("mdep.analyze", "maven.javadoc", "checkstyle", "spotbugs")
                .map(goal -> "-D" + goal + ".skip")
                .toList());
        maven.addAll(
                List.of("-Dsurefire.failIfNoSpecifiedTests=false", "-Dfailsafe.failIfNoSpecifiedTests=false", "-pl"));
        maven.addAll(List.of(schedules.module(), "-am"));
        Ended ended = runToEnd(folder, maven);
        Matcher failed = FAILED.matcher(ended.output());
        if (failed.find()) {
            Matcher seed = SEED.matcher(ended.output());
            return Optional.of(new MutationRun.Found(
                    Duration.ofMillis((long) (Double.parseDouble(failed.group(1)) * 1_000)),
                    failed.group(2),
                    seed.find() ? Long.parseLong(seed.group(1)) : 0,
                    failure(ended.output())));
        }
        ended.orThrow();
        return Optional.empty();
    }

    private static String failure(String output) {
        return output.lines()
                .filter(line -> line.contains(REASON))
                .findFirst()
                .map(line -> line.substring(line.indexOf(REASON) + REASON.length()))
                .orElse("");
    }

    private String head() throws ToolException, InterruptedException {
        return run(home, List.of("git", "rev-parse", "HEAD")).trim();
    }

    /** A command that has ended. */
    private record Ended(Path where, List<String> command, int status, String output) {
        String orThrow() throws ToolException {
            if (status != 0) {
                throw new ToolException(String.join(" ", command) + " failed in " + where + ":\n" + output);
            }
            return output;
        }
    }

    private static String run(Path where, List<String> command) throws ToolException, InterruptedException {
        return runToEnd(where, command).orThrow();
    }

    private static Ended runToEnd(Path where, List<String> command) throws ToolException, InterruptedException {
        try {
            Path log = Files.createTempFile("check-", ".log");
            Process process = new ProcessBuilder(command)
                    .directory(where.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
                return new Ended(where, command, ended ? process.exitValue() : -1, Files.readString(log));
            } finally {
                process.destroy();
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            throw new ToolException("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }
}
