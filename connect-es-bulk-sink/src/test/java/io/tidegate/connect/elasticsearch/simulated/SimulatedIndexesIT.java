package io.tidegate.connect.elasticsearch.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.elasticsearch.simulated.SimulatedIndexes.Answer;
import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.KeptElasticsearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulated indexes give the same answers and end with the same documents as a real node, for drawn bulk requests. */
final class SimulatedIndexesIT {
    private static final Elasticsearch NODE = new KeptElasticsearch();
    private static final int REQUESTS = 40;

    @BeforeAll
    static void start() {
        NODE.start();
    }

    @AfterAll
    static void stop() {
        NODE.close();
    }

    /** Of each document only ever one kind of version: Elasticsearch does not mix them. */
    private enum Versions {
        OWN,
        EXTERNAL,
        EXTERNAL_GTE
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void answersAsARealNode(long seed) {
        Random random = new Random(seed);
        String index = "drawn-" + seed;
        NODE.request(
                "PUT",
                "/" + index,
                "{\"mappings\":{\"properties\":{\"poison\":{\"type\":\"date\"}}},\"settings\":{\"number_of_shards\":2}}");
        SimulatedIndexes simulated = new SimulatedIndexes((action, before) -> {});
        for (int i = 0; i < REQUESTS; i++) {
            String body = draw(random, index);
            JsonNode items = NODE.request("POST", "/_bulk", body).get("items");
            List<String> real = new ArrayList<>();
            items.forEach(item -> real.add(described(item)));
            List<String> ours = SimulatedElasticsearch.actions(body).stream()
                    .map(simulated::apply)
                    .map(SimulatedIndexesIT::described)
                    .toList();
            assertThat(ours).as(body).isEqualTo(real);
        }
        simulated.documents().forEach((place, stored) -> {
            if (place.contains("#")) {
                return; // an id that the server made
            }
            String[] parts = place.split("/", -1);
            JsonNode document = NODE.request(
                            "POST",
                            "/_mget",
                            "{\"docs\":[{\"_index\":\"" + parts[0] + "\",\"_id\":\"" + parts[1] + "\"}]}")
                    .at("/docs/0");
            assertThat(document.path("found").asBoolean())
                    .as(place)
                    .isEqualTo(stored.source().isPresent());
            stored.source().ifPresent(source -> {
                assertThat(document.path("_source")).as(place).isEqualTo(source);
                assertThat(document.path("_version").asLong()).as(place).isEqualTo(stored.version());
            });
        });
    }

    private static String draw(Random random, String index) {
        StringBuilder body = new StringBuilder();
        int actions = 1 + random.nextInt(12);
        for (int i = 0; i < actions; i++) {
            int id = random.nextInt(9);
            Versions versions = Versions.values()[id % 3];
            String meta = "\"_index\":\"" + index + "\",\"_id\":\"" + id + "\"";
            String versioned = versions == Versions.OWN
                    ? meta
                    : meta + ",\"version\":" + random.nextInt(12) + ",\"version_type\":\""
                            + versions.name().toLowerCase(Locale.ROOT) + "\"";
            String source = "{\"n\":" + random.nextInt(100) + ",\"f" + random.nextInt(3) + "\":1"
                    + (random.nextInt(6) == 0 ? ",\"poison\":true" : "") + "}";
            switch (random.nextInt(versions == Versions.OWN ? 6 : 3)) {
                case 0, 1 -> line(body, "index", versioned, source);
                case 2 -> body.append("{\"delete\":{").append(versioned).append("}}\n");
                case 3 -> line(body, "create", meta, source);
                case 4 -> line(body, "update", meta, "{\"doc\":" + source + ",\"doc_as_upsert\":true}");
                default -> line(body, "index", "\"_index\":\"" + index + "\"", source);
            }
        }
        return body.toString();
    }

    private static void line(StringBuilder body, String action, String meta, String source) {
        body.append("{\"").append(action).append("\":{").append(meta).append("}}\n");
        body.append(source).append('\n');
    }

    private static String described(JsonNode item) {
        String action = item.fieldNames().next();
        JsonNode answer = item.get(action);
        return described(
                action,
                answer.get("status").asInt(),
                answer.path("error").path("type").asText(),
                answer.path("error").path("reason").asText());
    }

    private static String described(Answer answer) {
        return described(answer.action(), answer.status(), answer.error(), answer.reason());
    }

    private static String described(String action, int status, String error, String reason) {
        int versions = reason.indexOf("current version [");
        boolean areCompared = versions >= 0 && !reason.contains("already exists");
        return action + " " + status + " " + error + (areCompared ? " " + reason.substring(versions) : "");
    }
}
