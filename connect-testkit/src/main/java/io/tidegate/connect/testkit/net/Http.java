package io.tidegate.connect.testkit.net;

import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;

/** HTTP/1.1 clients and requests. */
public final class Http {
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration EXCHANGE = Duration.ofSeconds(60);
    private static final int NO_ANSWER = 0;

    private Http() {}

    /** A client without TLS, with this connect timeout. */
    public static HttpClient plain(Duration connect) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connect)
                .build();
    }

    public static HttpClient secure(SSLContext context, Duration connect) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(connect)
                .sslContext(context)
                .build();
    }

    /** The status of a GET, or 0 if there is no response within 5 s. */
    public static int status(HttpClient client, URI uri, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(ANSWER);
        headers.forEach(request::header);
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return NO_ANSWER;
        } catch (InterruptedException e) {
            throw Poll.interrupted("GET " + uri, e);
        }
    }

    /** Sends a request, of JSON unless a header names another type, and returns the body of a 2xx response. */
    public static String exchange(HttpClient client, String method, URI uri, Map<String, String> headers, String json) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(EXCHANGE)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(json));
        headers.forEach(request::setHeader);
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2) {
                throw new ServerException("%s %s: %d %s".formatted(method, uri, answer.statusCode(), answer.body()));
            }
            return answer.body();
        } catch (IOException e) {
            throw new ServerException("%s %s: no response: %s".formatted(method, uri, e), e);
        } catch (InterruptedException e) {
            throw Poll.interrupted(method + " " + uri, e);
        }
    }
}
