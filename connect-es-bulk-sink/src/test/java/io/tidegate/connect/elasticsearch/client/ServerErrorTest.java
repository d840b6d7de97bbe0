package io.tidegate.connect.elasticsearch.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

final class ServerErrorTest {
    @Test
    void readsTheServersCodeAndReason() {
        ServerError error = read("{\"error\":{\"root_cause\":[{\"type\":\"x\"}],\"type\":\"security_exception\","
                + "\"reason\":\"unable to authenticate user [me]\"},\"status\":401}");
        assertThat(error).hasToString("security_exception: unable to authenticate user [me]");
    }

    @Test
    void readsAnErrorThatIsOnlyText() {
        assertThat(read("{\"error\":\"no handler found\",\"status\":400}")).hasToString("no handler found");
    }

    @Test
    void hasNoWordsForAPageOfAProxy() {
        assertThat(read("<html>")).isEqualTo(ServerError.NONE).hasToString("no reason given");
        assertThat(read("")).isEqualTo(ServerError.NONE);
        assertThat(read("{\"error\":{\"type\"")).isEqualTo(ServerError.NONE);
    }

    @Test
    void leavesOutWhatTheServerQuotesFromTheDocument() {
        ServerError error = new ServerError(
                "document_parsing_exception",
                "[1:12] failed to parse field [level] of type [long] in document with id '1'. "
                        + "Preview of field's value: 'secret'",
                "");
        assertThat(error.toString())
                .isEqualTo("document_parsing_exception: [1:12] failed to parse field [level] of type [long] in document"
                        + " with id '1'. (the server quotes the document here)");
    }

    @Test
    void leavesOutTheBytesOfAnImmenseTerm() {
        ServerError error = new ServerError(
                "illegal_argument_exception",
                "Document contains at least one immense term in field=\"a\" (whose UTF8 encoding is longer than the max"
                        + " length 32766), all of which were skipped. Please correct the analyzer to not produce such"
                        + " terms.  The prefix of the first immense term is: '[115, 101, 99]...', original message: bytes",
                "");
        assertThat(error.reason()).contains("immense term in field").doesNotContain("115");
    }

    @Test
    void boundsTheReason() {
        assertThat(new ServerError("", "x".repeat(5000), "").reason()).hasSize(1003);
    }

    private static ServerError read(String content) {
        return ServerError.read(new ByteArrayInputStream(content.getBytes(UTF_8)));
    }
}
