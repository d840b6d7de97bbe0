package io.tidegate.connect.elasticsearch.client;

import static java.util.Objects.requireNonNull;

import co.elastic.clients.transport.http.TransportHttpClient;
import co.elastic.clients.util.BinaryData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.http.Header;
import org.apache.http.HttpEntity;
import org.elasticsearch.client.Response;

/** An answer of the REST client, which has received all of it: there is nothing to free. */
final class RestResponse implements TransportHttpClient.Response {
    static final String PRODUCT = "X-Elastic-Product";

    private final Response response;
    private final boolean openSearch;

    /**
     * An answer.
     *
     * @param openSearch whether OpenSearch gave it, which is known to be no Elasticsearch and accepted
     */
    RestResponse(Response response, boolean openSearch) {
        this.response = requireNonNull(response, "response");
        this.openSearch = openSearch;
    }

    @Override
    public TransportHttpClient.Node node() {
        return new TransportHttpClient.Node(response.getHost().toURI());
    }

    @Override
    public int statusCode() {
        return response.getStatusLine().getStatusCode();
    }

    @Override
    public String header(String name) {
        return openSearch && name.equalsIgnoreCase(PRODUCT) ? "Elasticsearch" : response.getHeader(name);
    }

    @Override
    public List<String> headers(String name) {
        return Arrays.stream(response.getHeaders())
                .filter(header -> header.getName().equalsIgnoreCase(name))
                .map(Header::getValue)
                .toList();
    }

    @Override
    public BinaryData body() {
        return new Body(response.getEntity());
    }

    @Override
    public Object originalResponse() {
        return response;
    }

    @Override
    public void close() {
        // The content is on the heap already and its connection back in the pool.
    }

    /** What was received; nothing when the entity is null, as in an answer to HEAD. */
    private record Body(HttpEntity entity) implements BinaryData {
        @Override
        public String contentType() {
            Header header = entity == null ? null : entity.getContentType();
            return header == null ? "application/octet-stream" : header.getValue();
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            try (InputStream content = asInputStream()) {
                content.transferTo(out);
            }
        }

        @Override
        public ByteBuffer asByteBuffer() throws IOException {
            try (InputStream content = asInputStream()) {
                return ByteBuffer.wrap(content.readAllBytes());
            }
        }

        @Override
        public InputStream asInputStream() throws IOException {
            return entity == null ? new ByteArrayInputStream(new byte[0]) : entity.getContent();
        }

        @Override
        public boolean isRepeatable() {
            return entity == null || entity.isRepeatable();
        }

        @Override
        public long size() {
            return entity == null ? 0 : entity.getContentLength();
        }
    }
}
