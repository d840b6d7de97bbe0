package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import co.elastic.clients.util.BinaryData;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.elasticsearch.bulk.BulkBody;
import io.tidegate.connect.elasticsearch.client.simulation.SimulatingClient;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import io.tidegate.connect.elasticsearch.settings.FailurePolicies;
import io.tidegate.connect.elasticsearch.settings.Policy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The writer of a lane, whose bulk requests are only simulated. One thread uses it. */
public final class ElasticsearchTrial implements TrialWriter {
    /** What the server calls it, and what people do. */
    private static final Map<String, String> CHANGES = Map.of(
            "executed_pipelines", "pipelines",
            "_index", "index after pipelines",
            "_source", "source after pipelines",
            "ignored_fields", "ignored fields");

    private final BatchWriter writer;
    private final SimulatingClient client;
    private final BulkBody body;
    private final FailurePolicies policies;
    private final FailureCounts counts;

    /**
     * A trial.
     *
     * @param writer that sends through this client, and has these policies and counts
     * @param body not compressed, for descriptions only
     */
    public ElasticsearchTrial(
            BatchWriter writer,
            SimulatingClient client,
            BulkBody body,
            FailurePolicies policies,
            FailureCounts counts) {
        this.policies = requireNonNull(policies, "policies");
        this.counts = requireNonNull(counts, "counts");
        this.writer = requireNonNull(writer, "writer");
        this.client = requireNonNull(client, "client");
        this.body = requireNonNull(body, "body");
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        return writer.write(documents);
    }

    @Override
    public Map<String, Object> describe(Document document) {
        Map<String, Object> sketch = describe(body, document);
        client.changes(sketch.getOrDefault("source", "").toString())
                .forEach((name, json) -> sketch.put(CHANGES.getOrDefault(name, name), json));
        return sketch;
    }

    /** The lines of a document in a bulk request. */
    public static Map<String, Object> describe(BulkBody body, Document document) {
        Map<String, Object> sketch = new LinkedHashMap<>();
        sketch.put("index", document.destination());
        if (document.hasKey()) {
            sketch.put("id", new String(document.key(), StandardCharsets.UTF_8));
        }
        try {
            body.clear();
            body.add(document);
            String[] lines = text(body.data()).split("\n", 2);
            sketch.put("action", lines[0]);
            if (!lines[1].isEmpty()) {
                sketch.put("source", lines[1].stripTrailing());
            }
        } catch (RefusedException e) {
            // The refusal says why there is no line.
        }
        return sketch;
    }

    private static String text(BinaryData data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            data.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a buffer in memory does not fail
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Override
    public List<String> limits() {
        List<String> limits = new ArrayList<>(client.limits());
        for (FailureClass each : FailureClass.values()) {
            boolean isSkipped = policies.of(each) == Policy.IGNORE || policies.of(each) == Policy.WARN;
            if (each != FailureClass.ID && isSkipped && counts.of(each) > 0) {
                limits.add("Of the records that are shown as written, " + counts.of(each) + " are skipped, as "
                        + each.setting() + "=" + EnumSetting.text(policies.of(each)) + " says.");
            }
        }
        return limits;
    }

    @Override
    public void abort() {
        writer.abort();
    }

    @Override
    public void close() {
        writer.close();
    }
}
