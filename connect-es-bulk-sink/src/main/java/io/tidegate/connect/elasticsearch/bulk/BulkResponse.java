package io.tidegate.connect.elasticsearch.bulk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.elasticsearch.client.ItemFailure;
import io.tidegate.connect.elasticsearch.client.ServerError;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** The answer to a bulk request, read as a stream. */
public final class BulkResponse {
    /**
     * What of the answer the server is to send: whether there are errors, and of each item what is needed to count it,
     * to judge it and to see that it went to a failure store.
     */
    public static final String FILTER_PATH = "errors,items.*.status,items.*.error,items.*.failure_store";

    private static final JsonFactory FACTORY = new JsonFactory();

    private BulkResponse() {}

    /**
     * Reads an answer.
     *
     * @param expected the items of the request
     * @param mayUseFailureStore whether items may have gone to a failure store, which is no error: if not, an answer
     *     without errors is not read to its end
     * @return the items that failed or went to a failure store, in order
     * @throws IOException when the answer is not one to this request
     */
    public static List<ItemFailure> read(InputStream content, int expected, boolean mayUseFailureStore)
            throws IOException {
        try (JsonParser parser = FACTORY.createParser(content)) {
            Reading reading = new Reading(parser, mayUseFailureStore);
            if (reading.read()) {
                return List.of();
            }
            if (!reading.judged || reading.items != expected) {
                throw new IOException("the answer to a bulk request of " + expected + " items tells of " + reading.items
                        + (reading.judged ? "" : " and not whether there were errors"));
            }
            return reading.failures;
        }
    }

    /** One pass over an answer. */
    private static final class Reading {
        private final JsonParser parser;
        private final boolean mayUseFailureStore;
        private final List<ItemFailure> failures = new ArrayList<>();
        private int items;
        private boolean judged;

        Reading(JsonParser parser, boolean mayUseFailureStore) {
            this.parser = parser;
            this.mayUseFailureStore = mayUseFailureStore;
        }

        /** Whether it is known early that all is well. */
        boolean read() throws IOException {
            expect(JsonToken.START_OBJECT, parser.nextToken());
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                switch (field) {
                    case "errors" -> {
                        if (value == JsonToken.VALUE_FALSE && !mayUseFailureStore) {
                            return true;
                        }
                        judged = true;
                    }
                    case "items" -> {
                        expect(JsonToken.START_ARRAY, value);
                        readItems();
                    }
                    default -> parser.skipChildren();
                }
            }
            return false;
        }

        private void readItems() throws IOException {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                expect(JsonToken.START_OBJECT, parser.currentToken());
                expect(JsonToken.FIELD_NAME, parser.nextToken()); // the action
                expect(JsonToken.START_OBJECT, parser.nextToken());
                readItem();
                items++;
                expect(JsonToken.END_OBJECT, parser.nextToken());
            }
        }

        private void readItem() throws IOException {
            int status = 0;
            boolean failed = false;
            ServerError error = ServerError.NONE;
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                parser.nextToken();
                switch (field) {
                    case "status" -> status = parser.getValueAsInt();
                    case "error" -> {
                        failed = true;
                        error = ServerError.read(parser);
                    }
                    case "failure_store" -> {
                        if ("used".equals(parser.getText()) && !failed) {
                            failed = true;
                            error = new ServerError(ItemFailure.FAILURE_STORE, "", "");
                        }
                    }
                    default -> parser.skipChildren();
                }
            }
            if (failed || status == 0) {
                failures.add(new ItemFailure(items, status, error));
            }
        }
    }

    private static void expect(JsonToken expected, JsonToken found) throws IOException {
        if (found != expected) {
            throw new IOException("the answer to a bulk request is not what it should be: " + expected
                    + " expected, but there is " + found);
        }
    }
}
