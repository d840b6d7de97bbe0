package io.tidegate.connect.bench.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The few requests that the quickstart makes itself, trusting the given CA only. */
final class ElasticsearchRest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int REASON_CHARACTERS = 300;

    private final ObjectMapper mapper = new ObjectMapper();
    private final URI root;
    private final String authorization;
    private final HttpClient http;

    ElasticsearchRest(URI root, String user, String password, Path caCertificate) throws QuickstartException {
        this.root = root;
        this.authorization = "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .sslContext(trusting(caCertificate))
                .build();
    }

    JsonNode get(String path) throws QuickstartException, InterruptedException {
        return send("GET", path, "");
    }

    JsonNode post(String path, String json) throws QuickstartException, InterruptedException {
        return send("POST", path, json);
    }

    JsonNode delete(String path, String json) throws QuickstartException, InterruptedException {
        return send("DELETE", path, json);
    }

    /** Requests are made one after the other, so one connection serves them all. */
    int ownConnections() {
        return 1;
    }

    private JsonNode send(String method, String path, String json) throws QuickstartException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(root.resolve(path))
                .timeout(TIMEOUT)
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                String body = response.body();
                throw new QuickstartException("Elasticsearch answered " + response.statusCode() + " to " + method + " "
                        + path + ": " + body.substring(0, Math.min(body.length(), REASON_CHARACTERS)));
            }
            return mapper.readTree(response.body());
        } catch (IOException e) {
            throw new QuickstartException("Elasticsearch did not answer " + method + " " + path + ": " + e, e);
        }
    }

    private static SSLContext trusting(Path caCertificate) throws QuickstartException {
        try (InputStream pem = Files.newInputStream(caCertificate)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                trusted.setCertificateEntry("ca-" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new QuickstartException("cannot use the CA certificate " + caCertificate + ": " + e, e);
        }
    }
}
