package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidegate.connect.elasticsearch.settings.ServerProduct;
import java.io.IOException;
import java.util.Optional;

/**
 * The server that a client talks to, from the response to {@code GET /}.
 *
 * @param product the product that it names, or Elasticsearch if it names none
 * @param version its version number, or empty when it does not say
 */
public record Server(Product product, String version) {
    /** Elasticsearch, as long as nothing else is known. */
    static final Server UNKNOWN = new Server(Product.ELASTICSEARCH, "");

    private static final JsonFactory FACTORY = new JsonFactory();

    /** Products that understand bulk requests. */
    public enum Product {
        ELASTICSEARCH,
        /** Gets the same requests as Elasticsearch, but without its media types. */
        OPENSEARCH
    }

    public Server {
        requireNonNull(product, "product");
        requireNonNull(version, "version");
    }

    /** The product in the settings, if they name one. */
    static Optional<Server> of(ServerProduct product) {
        return switch (product) {
            case AUTO -> Optional.empty();
            case ELASTICSEARCH -> Optional.of(UNKNOWN);
            case OPENSEARCH, OPENSEARCH_SERVERLESS, OPENSEARCH_SERVERLESS_TIME_SERIES ->
                Optional.of(new Server(Product.OPENSEARCH, ""));
        };
    }

    /** The product in the response, if it names one. */
    static Optional<Server> read(Response root) {
        try (JsonParser parser = FACTORY.createParser(root.content())) {
            parser.nextToken();
            for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                if (field.equals("version") && value == JsonToken.START_OBJECT) {
                    return Optional.of(readVersion(parser));
                }
                parser.skipChildren();
            }
        } catch (IOException e) {
            // a proxy's own page: the bulk request will show the cause
        }
        return Optional.empty();
    }

    private static Server readVersion(JsonParser parser) throws IOException {
        Product product = Product.ELASTICSEARCH;
        String number = "";
        for (String field = parser.nextFieldName(); field != null; field = parser.nextFieldName()) {
            parser.nextToken();
            switch (field) {
                case "distribution" ->
                    product = "opensearch".equals(parser.getText()) ? Product.OPENSEARCH : Product.ELASTICSEARCH;
                case "number" -> number = parser.getText();
                default -> parser.skipChildren();
            }
        }
        return new Server(product, number);
    }

    /** Product and version, for the log. */
    @Override
    public String toString() {
        String name = product == Product.OPENSEARCH ? "OpenSearch" : "Elasticsearch";
        return version.isEmpty() ? name + " of unknown version" : name + " " + version;
    }
}
