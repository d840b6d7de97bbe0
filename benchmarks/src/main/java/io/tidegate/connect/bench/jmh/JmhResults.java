package io.tidegate.connect.bench.jmh;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.bench.results.CandidateInfo;
import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.bench.results.Run;
import io.tidegate.connect.cli.ToolException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Converts JMH's JSON to entrants and runs: an entrant for each benchmark with its parameters, and a run for each
 * measured iteration. If the parameter {@code records} says how many records a call handles, values are per record.
 */
public record JmhResults(List<CandidateInfo> entrants, List<Run> runs) {
    private static final String KIND = "micro";

    /** The parameter by which values are divided. */
    private static final String RECORDS = "records";

    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final String NANOS = "ns/op";
    private static final ObjectMapper JSON = new ObjectMapper();

    public static JmhResults of(String json) throws ToolException {
        JmhResults all = new JmhResults(new ArrayList<>(), new ArrayList<>());
        try {
            for (JsonNode benchmark : JSON.readTree(json)) {
                all.add(benchmark);
            }
            return all;
        } catch (JsonProcessingException e) {
            throw new ToolException("JMH's result is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private void add(JsonNode benchmark) throws ToolException {
        JsonNode time = benchmark.path("primaryMetric");
        String label = label(benchmark);
        if (!text(time, "scoreUnit").equals(NANOS)) {
            throw new ToolException(label + " is measured in " + text(time, "scoreUnit") + ", not in " + NANOS
                    + ": leave out JMH's options -bm and -tu");
        }
        Map<String, String> config = new LinkedHashMap<>();
        config.put("benchmark", text(benchmark, "benchmark"));
        config.put("forks", text(benchmark, "forks"));
        config.put("warm-up", text(benchmark, "warmupIterations") + " x " + text(benchmark, "warmupTime"));
        config.put("measured", text(benchmark, "measurementIterations") + " x " + text(benchmark, "measurementTime"));
        config.put("jvm", text(benchmark, "vmName") + " " + text(benchmark, "vmVersion"));
        entrants.add(
                new CandidateInfo(label, KIND, "none", benchmark.path("threads").asInt(), config));
        double records = benchmark.path("params").path(RECORDS).asDouble(1);
        List<Double> nanos = figures(time);
        List<Double> allocated = figures(benchmark.path("secondaryMetrics").path(ALLOCATED));
        for (int i = 0; i < nanos.size(); i++) {
            Map<String, Double> measures = new LinkedHashMap<>();
            measures.put(Measure.NANOS.key(), nanos.get(i) / records);
            if (i < allocated.size()) {
                measures.put(Measure.ALLOCATED.key(), allocated.get(i) / records);
            }
            runs.add(new Run(label, i + 1, Run.OK, false, measures, List.of()));
        }
    }

    private static String text(JsonNode benchmark, String field) {
        return benchmark.path(field).asText();
    }

    /** Makes a label such as {@code BulkPath.tidegate, records=1000}. */
    private static String label(JsonNode benchmark) {
        String name = text(benchmark, "benchmark").replaceFirst("^.*\\.(\\w+?)(Benchmark)?\\.(\\w+)$", "$1.$3");
        StringBuilder label = new StringBuilder(name);
        for (Map.Entry<String, JsonNode> parameter : benchmark.path("params").properties()) {
            label.append(", ")
                    .append(parameter.getKey())
                    .append('=')
                    .append(parameter.getValue().asText());
        }
        return label.toString();
    }

    /** The values of all forks, in order. */
    private static List<Double> figures(JsonNode metric) {
        List<Double> figures = new ArrayList<>();
        for (JsonNode fork : metric.path("rawData")) {
            fork.forEach(iteration -> figures.add(iteration.asDouble()));
        }
        return figures;
    }
}
