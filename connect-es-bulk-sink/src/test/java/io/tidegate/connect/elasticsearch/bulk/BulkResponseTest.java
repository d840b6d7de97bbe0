package io.tidegate.connect.elasticsearch.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.elasticsearch.client.ItemFailure;
import io.tidegate.connect.elasticsearch.client.ServerError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

final class BulkResponseTest {
    @Test
    void stopsReadingWhenThereAreNoErrors() throws IOException {
        String notJsonBeyond = "{\"took\":3,\"errors\":false,\"items\":[" + " ".repeat(10_000) + "}}";
        assertThat(BulkResponse.read(stream(notJsonBeyond), 2, false)).isEmpty();
    }

    @Test
    void findsTheItemsThatFailed() throws IOException {
        String answer = """
                {"errors":true,"items":[
                {"index":{"status":201}},
                {"index":{"status":400,"error":{"type":"document_parsing_exception","reason":"[1:10] failed",
                 "caused_by":{"type":"number_format_exception","reason":"For input string: \\"secret\\"",
                 "caused_by":{"type":"deep"}},"root_cause":[{"type":"x"}]}}},
                {"delete":{"status":404}},
                {"create":{"status":201,"failure_store":"used"}},
                {"index":{"error":{"type":"es_rejected_execution_exception","reason":"queue"},"status":429}}]}
                """;
        assertThat(BulkResponse.read(stream(answer), 5, false))
                .containsExactly(
                        new ItemFailure(
                                1,
                                400,
                                new ServerError(
                                        "document_parsing_exception", "[1:10] failed", "number_format_exception")),
                        new ItemFailure(3, 201, new ServerError("failure_store", "", "")),
                        new ItemFailure(4, 429, new ServerError("es_rejected_execution_exception", "queue", "")));
    }

    @Test
    void refusesAnAnswerThatLeavesItemsOut() {
        assertThatThrownBy(() ->
                        BulkResponse.read(stream("{\"errors\":true,\"items\":[{\"index\":{\"status\":1}}]}"), 2, false))
                .isInstanceOf(IOException.class)
                .hasMessage("the answer to a bulk request of 2 items tells of 1");
    }

    @Test
    void refusesAnAnswerThatDoesNotTellOfErrors() {
        assertThatThrownBy(() -> BulkResponse.read(stream("{}"), 1, false))
                .hasMessageContaining("not whether there were errors");
        assertThatThrownBy(() -> BulkResponse.read(stream("<html>"), 1, false)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> BulkResponse.read(stream(""), 1, false)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> BulkResponse.read(stream("{\"errors\":true,\"items\":[{\"index\""), 1, false))
                .isInstanceOf(IOException.class);
    }

    @Test
    void findsItemsInTheFailureStoreWhereThereAreNoErrors() throws IOException {
        String answer = "{\"errors\":false,\"items\":[{\"create\":{\"status\":201}},"
                + "{\"create\":{\"status\":201,\"failure_store\":\"used\"}},"
                + "{\"create\":{\"status\":201,\"failure_store\":\"not_enabled\"}}]}";
        assertThat(BulkResponse.read(stream(answer), 3, true))
                .containsExactly(new ItemFailure(1, 201, new ServerError("failure_store", "", "")));
    }

    @Test
    void countsAnItemWithoutStatusAsFailed() throws IOException {
        assertThat(BulkResponse.read(stream("{\"errors\":true,\"items\":[{\"index\":{}}]}"), 1, false))
                .containsExactly(new ItemFailure(0, 0, ServerError.NONE));
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }
}
