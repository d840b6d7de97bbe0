package io.tidegate.connect.testkit.elasticsearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.RestClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;

/** Sends requests to an Elasticsearch node as its superuser. Thread-safe. */
public final class ElasticsearchRest {
    /** The superuser that every node has. */
    public static final String USER = "elastic";

    static final Duration CONNECT = Duration.ofSeconds(2);
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    private final HttpClient http;
    private final URI url;
    private final String password;

    ElasticsearchRest(HttpClient http, URI url, String password) {
        this.http = http;
        this.url = url;
        this.password = Objects.requireNonNull(password, "password");
    }

    /** Uses HTTPS; the context must trust the node's certificate. */
    public ElasticsearchRest(SSLContext context, URI url, String password) {
        this(Http.secure(context, CONNECT), url, password);
    }

    /** See {@link Elasticsearch#request}. */
    public JsonNode request(String method, String path, String json) {
        return RestClient.parse(Http.exchange(http, method, url.resolve(path), credentials(password), json));
    }

    /** Waits for 401 on a wrong password: until the security index exists, the node responds with 503. */
    boolean isReady(boolean secure) {
        return Http.status(http, url, credentials(password)) == OK
                && (!secure || Http.status(http, url, credentials("not the password")) == UNAUTHORIZED);
    }

    /** Whether the node responds and rejects a wrong password. */
    public boolean isReady() {
        return isReady(true);
    }

    private static Map<String, String> credentials(String password) {
        String pair = Base64.getEncoder().encodeToString((USER + ":" + password).getBytes(StandardCharsets.UTF_8));
        return Map.of("Authorization", "Basic " + pair);
    }
}
