package io.tidegate.connect.tools.trial;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.tools.output.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A result for programs: always with every record. */
final class JsonReport {
    private JsonReport() {}

    static ObjectNode of(TrialResult result) {
        ObjectNode root = Json.object();
        root.put("connector", result.connector());
        root.put("target", result.target());
        root.put("records", result.records().size());
        ObjectNode counts = root.putObject("outcomes");
        result.counts().forEach((outcome, count) -> counts.put(word(outcome), count));
        ObjectNode destinations = root.putObject("destinations");
        result.destinations().forEach(destinations::put);
        ArrayNode problems = root.putArray("problems");
        for (List<Tried> group : result.problems()) {
            ObjectNode problem = problems.addObject();
            problem.put("count", group.size());
            problem.put("outcome", word(group.get(0).outcome()));
            group.get(0).reason().ifPresent(reason -> problem.put("reason", reason));
            put(problem.putObject("facts"), group.get(0).facts());
        }
        result.taskFailure().ifPresent(failure -> root.put("task_failure", failure));
        result.notes().forEach(root.putArray("notes")::add);
        ArrayNode tried = root.putArray("tried");
        result.records().forEach(each -> put(tried.addObject(), each));
        return root;
    }

    private static void put(ObjectNode node, Tried record) {
        node.put("record", record.place());
        node.put("outcome", word(record.outcome()));
        record.reason().ifPresent(reason -> node.put("reason", reason));
        if (!record.facts().isEmpty()) {
            put(node.putObject("facts"), record.facts());
        }
        put(node, record.sketch());
        record.document().ifPresent(json -> node.put("document", json));
    }

    private static void put(ObjectNode node, Map<?, ?> values) {
        values.forEach((key, value) -> {
            String name = key.toString();
            if (value instanceof Map<?, ?> nested) {
                put(node.putObject(name), nested);
            } else if (value instanceof Long number) {
                node.put(name, number);
            } else {
                node.put(name, value.toString());
            }
        });
    }

    static String word(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }
}
