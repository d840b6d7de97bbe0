package io.tidegate.connect.elasticsearch.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.elasticsearch.StubServer;
import io.tidegate.connect.elasticsearch.client.ElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Asked;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IndexCreatorTest {
    private static final Duration LATER = Duration.ofSeconds(31);

    private final ManualClock clock = new ManualClock();
    private StubServer server;
    private ElasticsearchClient client;
    private ElasticsearchSession session;
    private IndexCreator creator;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        server = new StubServer();
        ConnectionSettings settings = ConnectionSettings.from(new AbstractConfig(
                TlsSettings.define(ConnectionSettings.define(new ConfigDef())),
                Map.of("connection.url", "http://localhost:" + server.port()),
                false));
        client = ElasticsearchClient.open(settings);
        session = new ElasticsearchSession(client, settings);
        Path file = Files.writeString(folder.resolve("index.json"), "{\"mappings\":{}}");
        IndexDefinition definition = IndexDefinition.read(Asked.INDEX, "index.definition.file", file);
        creator = new IndexCreator(Optional.empty(), "", Optional.of(definition), clock);
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        server.close();
    }

    /** Each of many indexes would cost another time-out, before one document is sent. */
    @Test
    void whatIsKnownToExistIsNotAskedForWhileTheServerDoesNotAnswer() throws Exception {
        for (int i = 0; i < 5; i++) {
            server.answers(200, "");
            assertThat(creator.ensure("tides-" + i, session)).isEmpty();
        }
        clock.pass(LATER);
        server.answers(503, "");
        for (int i = 0; i < 5; i++) {
            assertThat(creator.ensure("tides-" + i, session)).isEmpty();
        }

        assertThat(server.requests()).hasSize(6);
    }

    /** An error of one index says nothing about the others, which the server may have created without the definition. */
    @Test
    void theOthersAreAskedForAlthoughOneMayNotBe() throws Exception {
        for (int i = 0; i < 3; i++) {
            server.answers(200, "");
            assertThat(creator.ensure("tides-" + i, session)).isEmpty();
        }
        clock.pass(LATER);
        String refused = "{\"error\":{\"type\":\"mapper_parsing_exception\",\"reason\":\"no\"}}";
        server.answers(404, "").answers(400, refused).answers(200, "").answers(200, "");
        for (int i = 0; i < 3; i++) {
            assertThat(creator.ensure("tides-" + i, session)).isEmpty();
        }

        assertThat(server.requests()).hasSize(7);
    }

    /** Somebody deletes it, or another cluster takes this one's place. */
    @Test
    void createsATemplateAgain(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("template.json"), "{\"index_patterns\":[\"tides-*\"]}");
        IndexCreator templates = new IndexCreator(
                Optional.of(IndexDefinition.read(Asked.TEMPLATE, "index.template.file", file)),
                "tides",
                Optional.empty(),
                clock);
        server.answers(200, "").answers(404, "").answers(200, "{}");
        templates.ensureTemplate(session);
        templates.ensureTemplate(session);
        clock.pass(LATER);
        templates.ensureTemplate(session);

        assertThat(server.requests()).extracting(StubServer.Request::method).containsExactly("GET", "HEAD", "PUT");
    }

    @Test
    void createsAnIndexAgainThatWasDeletedWithoutAnError() throws Exception {
        server.answers(200, "").answers(404, "").answers(200, "{}");
        assertThat(creator.ensure("tides", session)).isEmpty();
        assertThat(creator.ensure("tides", session)).isEmpty();
        clock.pass(LATER);
        assertThat(creator.ensure("tides", session)).isEmpty();

        assertThat(server.requests()).extracting(StubServer.Request::method).containsExactly("HEAD", "HEAD", "PUT");
    }

    /** While the cluster has lost what it knows of roles, or does not answer. */
    @Test
    void anIndexThatWasThereIsNotUnusableBecauseItCannotBeAskedFor() throws Exception {
        String refused = "{\"error\":{\"type\":\"security_exception\",\"reason\":\"no\"}}";
        server.answers(200, "").answers(403, "").answers(403, refused).answers(503, "");
        for (int i = 0; i < 3; i++) {
            assertThat(creator.ensure("tides", session)).isEmpty();
            clock.pass(LATER);
        }

        assertThat(server.requests()).extracting(StubServer.Request::method).startsWith("HEAD", "HEAD", "PUT", "HEAD");
    }
}
