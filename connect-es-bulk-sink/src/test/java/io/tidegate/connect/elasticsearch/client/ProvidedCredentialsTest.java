package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.elasticsearch.StubServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests that a credentials provider authenticates. */
@Timeout(60)
final class ProvidedCredentialsTest {
    private static final String REFUSED =
            "{\"error\":{\"type\":\"security_exception\",\"reason\":\"unable to authenticate\"},\"status\":401}";

    private static final List<Document> DOCUMENTS = Documents.numbered("tides", 2);

    private final StubServer server = new StubServer();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        server.close();
    }

    private void write(String token) throws IOException {
        Files.writeString(folder.resolve("token"), token + "\n");
    }

    private Target open(String... more) {
        Map<String, String> props = new HashMap<>(Map.of(
                "topics",
                "tides",
                "connection.url",
                server.url(),
                "connection.credentials.provider",
                "file",
                "connection.credentials.file.path",
                folder.resolve("token").toString()));
        for (int i = 0; i < more.length; i += 2) {
            props.put(more[i], more[i + 1]);
        }
        return new ElasticsearchTargetType().open(props);
    }

    private List<String> authorizations() {
        return server.requests().stream()
                .map(request -> request.headers().getFirst("Authorization"))
                .toList();
    }

    @Test
    void eachRequestHasWhatTheFileHolds() throws Exception {
        server.answers(200, StubServer.NO_ERRORS).answers(200, StubServer.NO_ERRORS);
        try (Target target = open();
                BatchWriter writer = target.openWriter(0)) {
            write("first");
            writer.write(DOCUMENTS);
            write("second");
            writer.write(DOCUMENTS);
        }
        assertThat(authorizations()).containsExactly("Bearer first", "Bearer second");
    }

    @Test
    void aRefusedRequestIsSentAgainAtOnceWithWhatTheProviderGivesThen() throws Exception {
        server.answers(401, REFUSED).answers(200, StubServer.NO_ERRORS);
        write("token");
        try (Target target = open("unauthorized.retry.ms", "0", "connection.compression", "true");
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(DOCUMENTS)).isEmpty();
        }
        assertThat(server.requests()).hasSize(2);
        assertThat(server.requests().get(1).body())
                .isEqualTo(server.requests().get(0).body())
                .isNotEmpty();
    }

    @Test
    void whatIsRefusedTwiceCountsAsRefused() throws Exception {
        server.answers(401, REFUSED).answers(401, REFUSED);
        write("token");
        try (Target target = open("unauthorized.retry.ms", "0");
                BatchWriter writer = target.openWriter(0)) {
            WriteException e = catchThrowableOfType(WriteException.class, () -> writer.write(DOCUMENTS));
            assertThat(e.failure()).isEqualTo(Failure.FATAL);
            assertThat(e).hasMessageContaining("401").hasMessageContaining("credentials provider");
        }
    }

    @Test
    void anExpiredTokenOfAwsIsBorneLike401() throws Exception {
        String expired = "{\"message\":\"The security token included in the request is expired\"}";
        server.answers(403, expired).answers(403, expired);
        write("token");
        try (Target target = open();
                BatchWriter writer = target.openWriter(0)) {
            WriteException e = catchThrowableOfType(WriteException.class, () -> writer.write(DOCUMENTS));
            assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        }
    }

    @Test
    void withoutCredentialsNothingIsSentAndNoDocumentIsRefused() throws Exception {
        try (Target target = open();
                BatchWriter writer = target.openWriter(0)) {
            WriteException e = catchThrowableOfType(WriteException.class, () -> writer.write(DOCUMENTS));
            assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
            assertThat(e.unwritten()).isEqualTo(DOCUMENTS);
            assertThat(e.refusals()).isEmpty();
            assertThat(e)
                    .hasMessageContaining("connection.credentials.provider=file has no credentials")
                    .hasMessageContaining("does not exist");
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void theSettingsAreOneOrTheOther() {
        Map<String, String> props = Map.of(
                "topics", "tides",
                "connection.url", "https://a:9200,https://b:9200",
                "connection.api.key", "a:b",
                "connection.credentials.provider", "aws");
        assertThat(new ElasticsearchTargetType().validate(props))
                .anySatisfy(problem -> assertThat(problem.message()).startsWith("names several nodes"))
                .anySatisfy(problem -> assertThat(problem.message()).contains("connect-aws-VERSION.jar"))
                .anySatisfy(problem -> assertThat(problem.message()).startsWith("is used instead of a user"));
    }
}
