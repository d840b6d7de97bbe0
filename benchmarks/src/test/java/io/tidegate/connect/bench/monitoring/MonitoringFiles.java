package io.tidegate.connect.bench.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.bench.yaml.YamlFile;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The files of docker/monitoring, as far as they name metrics. */
final class MonitoringFiles {
    static final Path FOLDER =
            Path.of("..", "docker", "monitoring").toAbsolutePath().normalize();

    /** Ours and those of Connect that the exporter's rules make. */
    private static final Pattern METRIC = Pattern.compile("\\b(?:tidegate|connect)_[a-z0-9_]+");

    private MonitoringFiles() {}

    static JsonNode read(String file) throws ToolException {
        return YamlFile.read(FOLDER.resolve(file));
    }

    static List<JsonNode> alerts() throws ToolException {
        List<JsonNode> alerts = new ArrayList<>();
        read("alerts.yml").path("groups").forEach(group -> group.path("rules").forEach(alerts::add));
        return alerts;
    }

    /** Every metric that an alert or a panel asks for. */
    static Set<String> metrics() throws ToolException {
        List<String> expressions = new ArrayList<>();
        alerts().forEach(alert -> expressions.add(alert.path("expr").asText()));
        read("grafana/dashboards/tidegate.json").path("panels").forEach(panel -> panel.path("targets")
                .forEach(target -> expressions.add(target.path("expr").asText())));
        return expressions.stream()
                .flatMap(expression -> METRIC.matcher(expression).results())
                .map(found -> found.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
