package io.tidegate.connect.bench.compare;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Results to compare later ones with: a result folder, or one with a subfolder for each kind of machine, as committed
 * in {@code benchmarks/baseline}. Those have only what a comparison reads.
 */
public record Baseline(Path folder) {
    /** Costs are comparable if these are equal. */
    private static final List<String> KIND = List.of("processor", "processors", "java", "postgresql", "elasticsearch");

    /** Whether both were measured on the same kind of machine, with the same versions of Java and the servers. */
    public static boolean isSameKind(Results one, Results other) {
        return KIND.stream()
                .allMatch(key -> Objects.equals(
                        one.environment().get(key), other.environment().get(key)));
    }

    /** The results of the same kind of machine as the given ones; those of another kind if there are no such. */
    public Results read(Results like) throws ToolException {
        if (new ResultFiles(folder).exist() || !Files.isDirectory(folder)) {
            return new ResultFiles(folder).read();
        }
        List<Results> all = new ArrayList<>();
        try (Stream<Path> kinds = Files.list(folder)) {
            for (Path kind :
                    kinds.filter(path -> new ResultFiles(path).exist()).sorted().toList()) {
                all.add(new ResultFiles(kind).read());
            }
        } catch (IOException e) {
            throw new ToolException("cannot list " + folder, e);
        }
        return all.stream()
                .filter(one -> isSameKind(one, like))
                .findFirst()
                .or(() -> all.stream().findFirst())
                .orElseThrow(() -> new ToolException("there are no results in " + folder));
    }

    /** Writes what a comparison reads to the subfolder of the machine's kind, and returns the subfolder. */
    public Path write(Results results) throws ToolException {
        String kind = results.environment().getOrDefault("processor", "unknown") + "-"
                + results.environment().getOrDefault("processors", "0") + "-cores";
        Path subfolder = folder.resolve(kind.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"));
        List<CandidateInfo> entrants = results.entrants().stream()
                .map(one -> new CandidateInfo(one.label(), one.kind(), one.store(), one.tasks(), Map.of()))
                .toList();
        List<Run> runs = results.runs().stream()
                .filter(Run::counts)
                .map(run -> {
                    Map<String, Double> measures = new LinkedHashMap<>(run.measures());
                    measures.keySet()
                            .retainAll(Comparison.MEASURES.stream()
                                    .map(Measure::key)
                                    .toList());
                    return with(run, measures);
                })
                .toList();
        new ResultFiles(subfolder).write(with(results, entrants, runs));
        return subfolder;
    }

    /**
     * The costs of the connectors as multiples of those of no-op sink and raw client in the same round, which another machine
     * changes as well: the worker's of a sink that does nothing, the server's of a raw client. Fails without one of these.
     */
    public static Results ratios(Results results, Path folder) throws ToolException {
        List<CandidateInfo> connectors =
                results.entrants().stream().filter(CandidateInfo::isConnector).toList();
        List<Run> runs = new ArrayList<>();
        for (CandidateInfo one : connectors) {
            List<Run> workers = bases(results, folder, Measure.WORKER_CPU, "no-op-sink", "none");
            List<Run> servers = bases(results, folder, Measure.SERVER_CPU, "raw-client", one.store());
            for (Run run : results.runs()) {
                if (run.counts() && run.entrant().equals(one.label())) {
                    Map<String, Double> measures = new LinkedHashMap<>();
                    put(measures, Measure.WORKER_CPU, run, workers);
                    put(measures, Measure.SERVER_CPU, run, servers);
                    runs.add(with(run, measures));
                }
            }
        }
        return with(results, connectors, runs);
    }

    private static List<Run> bases(Results results, Path folder, Measure measure, String kind, String store)
            throws ToolException {
        List<String> labels = results.entrants().stream()
                .filter(one -> one.kind().equals(kind) && one.store().equals(store))
                .map(CandidateInfo::label)
                .toList();
        List<Run> bases = results.runs().stream()
                .filter(run -> run.counts() && labels.contains(run.entrant()))
                .filter(run -> run.measure(measure).orElse(0.0) > 0)
                .toList();
        if (bases.isEmpty()) {
            throw new ToolException(folder + " has no " + kind + " to compare the " + measure.title() + " with"
                    + (store.equals("none") ? "" : " (" + store + ")"));
        }
        return bases;
    }

    private static void put(Map<String, Double> measures, Measure measure, Run run, List<Run> bases) {
        bases.stream()
                .filter(base -> base.round() == run.round())
                .findFirst()
                .flatMap(base -> base.measure(measure))
                .ifPresent(base -> run.measure(measure).ifPresent(own -> measures.put(measure.key(), own / base)));
    }

    private static Run with(Run run, Map<String, Double> measures) {
        return new Run(run.entrant(), run.round(), run.outcome(), run.noisy(), measures, List.of());
    }

    private static Results with(Results results, List<CandidateInfo> entrants, List<Run> runs) {
        return new Results(
                results.format(),
                results.benchmark(),
                results.command(),
                results.started(),
                results.complete(),
                results.environment(),
                results.settings(),
                entrants,
                runs,
                new Summary(List.of(), List.of()),
                List.of());
    }
}
