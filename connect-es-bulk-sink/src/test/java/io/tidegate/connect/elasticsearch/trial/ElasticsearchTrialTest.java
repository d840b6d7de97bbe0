package io.tidegate.connect.elasticsearch.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.elasticsearch.StubServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole trial of the sink, with a server that answers by a script. */
final class ElasticsearchTrialTest {
    private static final String WITHOUT_CHANGES = "{\"doc\":{\"_source\":{\"n\":1},\"executed_pipelines\":[]}}";

    private final StubServer server = new StubServer();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        server.close();
    }

    private TrialWriter trial(String... settings) {
        Map<String, String> props = new HashMap<>(Map.of("connection.url", server.url()));
        for (int i = 0; i < settings.length; i += 2) {
            props.put(settings[i], settings[i + 1]);
        }
        Target target = new ElasticsearchTargetType().open(props);
        TrialWriter trial = target.openTrial(true);
        open.add(trial);
        open.add(target);
        return trial;
    }

    private static List<Document> documents() {
        return List.of(
                Documents.of("i", "a", 0, "{\"n\":1}"),
                Documents.delete("i", "b", 1),
                Documents.of("i", "c", 2, "{\"n\":3}"));
    }

    private List<String> simulations() {
        return server.requests().stream()
                .map(request -> request.uri() + " " + request.text())
                .toList();
    }

    @Test
    void asksWhatBecomesOfDocumentsAndWritesNothing() throws Exception {
        server.answers(200, "{\"docs\":[" + WITHOUT_CHANGES + "]}")
                .answers(
                        200,
                        "{\"docs\":[{\"doc\":{\"error\":{\"type\":\"document_parsing_exception\","
                                + "\"reason\":\"r\"},\"ignored_fields\":[{\"field\":\"x\"}]}}]}");
        TrialWriter trial = trial("metadata.fields", "offset:o", "pipeline", "p");
        List<Document> documents = documents();

        List<Refusal> refusals = trial.write(documents);

        assertThat(refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.document()).isSameAs(documents.get(2));
            assertThat(refusal.reason().facts()).containsEntry("type", "document_parsing_exception");
        });
        assertThat(simulations())
                .containsExactly(
                        "/_ingest/_simulate?pipeline=p {\"docs\":["
                                + "{\"_index\":\"i\",\"_id\":\"a\",\"_source\":{\"o\":0,\"n\":1}}]}",
                        "/_ingest/_simulate?pipeline=p {\"docs\":["
                                + "{\"_index\":\"i\",\"_id\":\"c\",\"_source\":{\"o\":2,\"n\":3}}]}");
        assertThat(trial.describe(documents.get(0))).containsOnlyKeys("index", "id", "action", "source");
        assertThat(trial.describe(documents.get(2))).containsEntry("ignored fields", "[{\"field\":\"x\"}]");
        assertThat(trial.limits()).singleElement().asString().startsWith("Elasticsearch simulated the requests");
    }

    @Test
    void simulatesTheDocumentsOfMergesAndEachPipelineApart() throws Exception {
        server.answers(200, "{\"docs\":[{\"doc\":{}}]}").answers(200, "{\"docs\":[{\"doc\":{}}]}");
        TrialWriter trial = trial("pipeline", "${field:$.n}");

        assertThat(trial.write(documents())).isEmpty();

        assertThat(simulations())
                .hasSize(2)
                .anyMatch(uri -> uri.startsWith("/_ingest/_simulate?pipeline=1 "))
                .anyMatch(uri -> uri.startsWith("/_ingest/_simulate?pipeline=3 "));
    }

    @Test
    void takesARefusedRequestForAFaultOfItsDocument() throws Exception {
        server.answers(400, "{\"error\":{\"type\":\"x_content_parse_exception\",\"reason\":\"twice\"}}")
                .answers(200, "{\"docs\":[{\"doc\":{}}]}");

        assertThat(trial().write(documents())).singleElement().satisfies(refused -> assertThat(refused.reason())
                .hasMessageContaining("twice"));
        assertThat(simulations()).hasSize(2);
    }

    @Test
    void aBusyServerHasJudgedNothing() {
        server.answers(503, "{}").answers(413, "").answers(413, "");
        TrialWriter trial = trial();

        assertThatThrownBy(() -> trial.write(documents().subList(0, 1)))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.TRANSIENT));
        assertThatThrownBy(() -> trial.write(documents()))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.failure()).isEqualTo(Failure.TOO_MUCH));
        assertThat(trial.limits()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "400 {\"error\":\"no handler found for uri [/_ingest/_simulate] and method [POST]\"}",
                "403 {\"error\":{\"type\":\"security_exception\",\"reason\":\"unauthorized\"}}"
            })
    void saysThatAServerWithoutItOrAUserWithoutThePrivilegeIsNotAsked(String answer) throws Exception {
        for (int i = 0; i < 2; i++) {
            server.answers(Integer.parseInt(answer.substring(0, 3)), answer.substring(4));
        }
        TrialWriter trial = trial();

        assertThat(trial.write(documents())).isEmpty();
        assertThat(trial.limits())
                .singleElement()
                .asString()
                .startsWith("The server did not simulate the requests, so it was not asked about the documents");
    }
}
