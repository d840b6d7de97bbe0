package io.tidegate.connect.bench.plan;

import io.tidegate.connect.bench.results.Entrant;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Spread;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.tools.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Reads measured rates: a result folder of {@code ./bench sink} or {@code ./bench sweep}, or a CSV file with the columns {@code tasks} and
 * {@code records_per_s}. What else tells measurements apart (a connector's settings, a file's columns before {@code tasks}) makes groups.
 */
public final class Groups {
    private static final String TASKS = "tasks";
    private static final String RATE = "records_per_s";
    private static final double MILLION = 1e6;

    private Groups() {}

    public static List<Group> read(Path results) throws ToolException {
        List<Group> groups = Files.isRegularFile(results) ? ofCsv(results) : of(new ResultFiles(results).read());
        if (groups.isEmpty()) {
            throw new ToolException(results + " has no rates of a connector");
        }
        return groups;
    }

    private static List<Group> of(Results results) {
        Map<String, List<Summary.Line>> lines = new LinkedHashMap<>();
        Map<String, Entrant> entrants =
                results.entrants().stream().collect(Collectors.toMap(Entrant::label, entrant -> entrant));
        for (Summary.Line line : results.summary().lines()) {
            if (entrants.get(line.entrant()).kind().equals("connector")) {
                lines.computeIfAbsent(line.entrant().replaceFirst(", \\d+ tasks?$", ""), name -> new ArrayList<>())
                        .add(line);
            }
        }
        return lines.entrySet().stream()
                .map(entry -> group(entry.getKey(), entry.getValue(), entrants))
                .toList();
    }

    private static Group group(String name, List<Summary.Line> lines, Map<String, Entrant> entrants) {
        List<Measured> rates = new ArrayList<>();
        List<Double> connections = new ArrayList<>();
        for (Summary.Line line : lines) {
            int tasks = entrants.get(line.entrant()).tasks();
            line.measure(Measure.STEADY_RATE).ifPresent(spread -> rates.add(new Measured(tasks, spread.median())));
            line.measure(Measure.CONNECTIONS).ifPresent(spread -> connections.add(spread.max() / tasks));
        }
        OptionalDouble worker = highest(lines, Measure.WORKER_CPU);
        OptionalDouble broker = highest(lines, Measure.BROKER_CPU);
        OptionalDouble server = highest(lines, Measure.SERVER_CPU);
        OptionalDouble all = worker.isPresent() && broker.isPresent() && server.isPresent()
                ? OptionalDouble.of(worker.getAsDouble() + broker.getAsDouble() + server.getAsDouble())
                : OptionalDouble.empty();
        return new Group(
                name,
                rates,
                worker,
                all,
                connections.stream().mapToDouble(Double::doubleValue).max());
    }

    /** The dearest of the numbers of tasks: a plan had better be on the safe side. */
    private static OptionalDouble highest(List<Summary.Line> lines, Measure measure) {
        return lines.stream()
                .flatMap(line -> line.measure(measure).stream())
                .mapToDouble(Spread::median)
                .max();
    }

    private static List<Group> ofCsv(Path file) throws ToolException {
        List<String> lines = lines(file);
        List<String> heading = Arrays.asList(lines.get(0).split(",", -1));
        int tasks = heading.indexOf(TASKS);
        int rate = heading.indexOf(RATE);
        if (tasks < 0 || rate < 0) {
            throw new ToolException(file + ": the first line needs the columns " + TASKS + " and " + RATE);
        }
        Map<String, List<Measured>> groups = new LinkedHashMap<>();
        for (int number = 1; number < lines.size(); number++) {
            String[] cells = lines.get(number).split(",", -1);
            try {
                Measured measured = new Measured(Double.parseDouble(cells[tasks]), Double.parseDouble(cells[rate]));
                groups.computeIfAbsent(name(heading, cells, tasks), name -> new ArrayList<>())
                        .add(measured);
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new ToolException(file + ":" + (number + 1) + ": not a row of numbers", e);
            }
        }
        return groups.entrySet().stream()
                .map(entry -> new Group(
                        entry.getKey(),
                        entry.getValue(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        OptionalDouble.empty()))
                .toList();
    }

    private static String name(List<String> heading, String[] cells, int tasks) {
        List<String> parts = new ArrayList<>();
        for (int column = 0; column < tasks; column++) {
            parts.add(heading.get(column) + "=" + cells[column]);
        }
        return String.join(", ", parts);
    }

    private static List<String> lines(Path file) throws ToolException {
        try {
            List<String> lines = Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank())
                    .toList();
            if (lines.isEmpty()) {
                throw new ToolException(file + " is empty");
            }
            return lines;
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Cores that are busy at a rate. */
    static double cores(double cpuSecondsPerMillion, double rate) {
        return cpuSecondsPerMillion * rate / MILLION;
    }
}
