package io.tidegate.connect.elasticsearch.bulk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads the answer to a bulk request as a stream, no further than needed. */
public final class BulkResponse {
    /**
     * What of the answer the server is to send: whether there are errors, and of each item what is needed to count it,
     * to judge it and to see that it went to a failure store.
     */
    public static final String FILTER_PATH = "errors,items.*.status,items.*.error,items.*.failure_store";

    private static final JsonFactory FACTORY = new JsonFactory();

    private BulkResponse() {}

    /**
     * The items that failed, in order; the others are carried out.
     *
     * @param expected the items of the request
     * @throws IOException when the answer is not one to this request
     */
    public static List<ItemFailure> failures(InputStream content, int expected) throws IOException {
        try (JsonParser parser = FACTORY.createParser(content)) {
            expect(JsonToken.START_OBJECT, parser.nextToken());
            List<ItemFailure> failures = new ArrayList<>();
            int items = 0;
            boolean judged = false;
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if (field.equals("errors")) {
                    if (value == JsonToken.VALUE_FALSE) {
                        return List.of();
                    }
                    judged = true;
                } else if (field.equals("items")) {
                    expect(JsonToken.START_ARRAY, value);
                    items = readItems(parser, failures);
                } else {
                    parser.skipChildren();
                }
            }
            if (!judged || items != expected) {
                throw new IOException("the answer to a bulk request of " + expected + " items tells of " + items
                        + (judged ? "" : " and not whether there were errors"));
            }
            return failures;
        }
    }

    private static int readItems(JsonParser parser, List<ItemFailure> failures) throws IOException {
        int position = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            expect(JsonToken.START_OBJECT, parser.currentToken());
            expect(JsonToken.FIELD_NAME, parser.nextToken()); // the action
            expect(JsonToken.START_OBJECT, parser.nextToken());
            readItem(parser, position++, failures);
            expect(JsonToken.END_OBJECT, parser.nextToken());
        }
        return position;
    }

    private static void readItem(JsonParser parser, int position, List<ItemFailure> failures) throws IOException {
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
                default -> parser.skipChildren();
            }
        }
        if (failed || status == 0) {
            failures.add(new ItemFailure(position, status, error));
        }
    }

    private static void expect(JsonToken expected, JsonToken found) throws IOException {
        if (found != expected) {
            throw new IOException("the answer to a bulk request is not what it should be: " + expected
                    + " expected, but there is " + found);
        }
    }
}
