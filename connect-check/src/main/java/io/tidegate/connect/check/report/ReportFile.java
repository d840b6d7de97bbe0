package io.tidegate.connect.check.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.check.run.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes the data of a run, for the page about it. */
public final class ReportFile {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final ObjectNode root = JSON.createObjectNode();

    /**
     * Collects the data.
     *
     * @param neverMet pairs that draws put together and that have not met
     * @param notDrawn settings that are not drawn, with the reason
     */
    public ReportFile(
            long seed,
            double minutes,
            int cases,
            long records,
            Pairs pairs,
            List<String> neverMet,
            Map<String, String> notDrawn,
            List<Outcome> failed) {
        root.put("seed", seed).put("minutes", minutes).put("cases", cases).put("records", records);
        root.put("pairsMet", pairs.met()).put("pairsNeverMet", neverMet.size());
        ObjectNode features = root.putObject("features");
        pairs.features().forEach(features::put);
        ObjectNode reasons = root.putObject("notDrawn");
        notDrawn.forEach(reasons::put);
        ArrayNode failures = root.putArray("failed");
        for (Outcome outcome : failed) {
            ArrayNode differences = failures.addObject()
                    .put("sink", outcome.planned().sink())
                    .put("seed", outcome.planned().seed())
                    .putArray("differences");
            outcome.differences().forEach(difference -> differences.add(difference.toString()));
        }
        ArrayNode never = root.putArray("neverMet");
        neverMet.forEach(never::add);
    }

    public void write(Path file) throws IOException {
        JSON.writeValue(file.toFile(), root);
    }
}
