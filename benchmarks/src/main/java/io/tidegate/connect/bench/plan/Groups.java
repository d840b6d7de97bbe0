package io.tidegate.connect.bench.plan;

import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.ResultFiles;
import io.tidegate.connect.bench.results.Results;
import io.tidegate.connect.bench.results.Summary;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads measured rates from a result folder of {@code ./bench sink} or {@code ./bench sweep}, or from a CSV file with
 * the columns {@code tasks} and {@code records_per_s}. Rates form a group if they differ only in the number of tasks:
 * the settings of the connector, or the columns before {@code tasks}, are the same.
 */
public final class Groups {
    private static final String TASKS = "tasks";
    private static final String RATE = "records_per_s";

    private Groups() {}

    public static List<Group> read(Path results) throws ToolException {
        List<Group> groups = Files.isRegularFile(results) ? ofCsv(results) : of(new ResultFiles(results).read());
        if (groups.isEmpty()) {
            throw new ToolException(results + " has no rates of a connector");
        }
        return groups;
    }

    private static List<Group> of(Results results) {
        Map<String, CandidateInfo> connectors = results.entrants().stream()
                .filter(CandidateInfo::isConnector)
                .collect(Collectors.toMap(CandidateInfo::label, entrant -> entrant));
        Map<String, List<Summary.Line>> families = results.summary().lines().stream()
                .filter(line -> connectors.containsKey(line.entrant()))
                .collect(Collectors.groupingBy(
                        line -> connectors.get(line.entrant()).family(), LinkedHashMap::new, Collectors.toList()));
        return families.entrySet().stream()
                .map(family -> group(family.getKey(), family.getValue(), connectors))
                .toList();
    }

    private static Group group(String name, List<Summary.Line> lines, Map<String, CandidateInfo> connectors) {
        List<Measured> rates = new ArrayList<>();
        List<Double> connections = new ArrayList<>();
        for (Summary.Line line : lines) {
            int tasks = connectors.get(line.entrant()).tasks();
            line.measure(Measure.STEADY_RATE).ifPresent(spread -> rates.add(new Measured(tasks, spread.median())));
            line.measure(Measure.CONNECTIONS).ifPresent(spread -> connections.add(spread.max() / tasks));
        }
        return new Group(
                name,
                rates,
                highest(lines, Measure.WORKER_CPU),
                highest(lines, Measure.WORKER_CPU, Measure.BROKER_CPU, Measure.SERVER_CPU),
                connections.stream().mapToDouble(Double::doubleValue).max());
    }

    /** The sum of the highest medians, so that a plan is on the safe side; empty if one is unknown. */
    private static OptionalDouble highest(List<Summary.Line> lines, Measure... measures) {
        double sum = 0;
        for (Measure measure : measures) {
            sum += lines.stream()
                    .flatMap(line -> line.measure(measure).stream())
                    .mapToDouble(spread -> spread.median())
                    .max()
                    .orElse(Double.NaN);
        }
        return Double.isNaN(sum) ? OptionalDouble.empty() : OptionalDouble.of(sum);
    }

    private static List<Group> ofCsv(Path file) throws ToolException {
        List<List<String>> rows = rows(file);
        int tasks = rows.get(0).indexOf(TASKS);
        int rate = rows.get(0).indexOf(RATE);
        if (tasks < 0 || rate < 0) {
            throw new ToolException(file + ": the first line needs the columns " + TASKS + " and " + RATE);
        }
        Map<String, List<Measured>> groups = new LinkedHashMap<>();
        for (int number = 1; number < rows.size(); number++) {
            List<String> row = rows.get(number);
            try {
                Measured measured = new Measured(Double.parseDouble(row.get(tasks)), Double.parseDouble(row.get(rate)));
                String name = IntStream.range(0, tasks)
                        .mapToObj(column -> rows.get(0).get(column) + "=" + row.get(column))
                        .collect(Collectors.joining(", "));
                groups.computeIfAbsent(name, none -> new ArrayList<>()).add(measured);
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                throw new ToolException(file + ":" + (number + 1) + ": not a row of numbers", e);
            }
        }
        return groups.entrySet().stream()
                .map(entry -> Group.ofRates(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static List<List<String>> rows(Path file) throws ToolException {
        try (Stream<String> lines = Files.lines(file)) {
            List<List<String>> rows = lines.filter(line -> !line.isBlank())
                    .map(line -> List.of(line.split(",", -1)))
                    .toList();
            if (rows.isEmpty()) {
                throw new ToolException(file + " is empty");
            }
            return rows;
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
