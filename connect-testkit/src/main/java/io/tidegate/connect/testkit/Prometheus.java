package io.tidegate.connect.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.RestClient;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Programs;
import io.tidegate.connect.testkit.process.ServerException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A Prometheus server, if the program is installed: see {@link #isInstalled}. */
public final class Prometheus extends ChildServer {

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private final String configuration;

    private Prometheus(String configuration) {
        super("prometheus");
        this.configuration = configuration;
    }

    /** Whether the program is on the {@code PATH}. */
    public static boolean isInstalled() {
        return Programs.find("prometheus").isPresent();
    }

    /**
     * Creates a server without starting it.
     *
     * @param configuration the text of {@code prometheus.yml}; it must name rule files by absolute paths
     */
    public static Prometheus configured(String configuration) {
        return new Prometheus(Objects.requireNonNull(configuration, "configuration"));
    }

    /**
     * Sends a GET and returns the {@code data} of the response.
     *
     * @param path below {@code /api/v1/}, such as {@code rules}
     * @throws ServerException if there is no response within a minute or its status is not 2xx
     */
    public JsonNode get(String path) {
        return RestClient.parse(Http.exchange(http, "GET", url("/api/v1/" + path), Map.of(), ""))
                .path("data");
    }

    /** The present result of an expression: series, each with {@code metric} and {@code value}. */
    public JsonNode query(String expression) {
        return get("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .path("result");
    }

    private URI url(String path) {
        return URI.create("http://127.0.0.1:" + port("http") + path);
    }

    @Override
    protected Launch prepare() {
        Path config = folder().resolve("prometheus.yml");
        Folders.write(config, configuration);
        return new Launch(
                List.of(
                        Programs.path("prometheus"),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder().resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port("http")),
                Map.of());
    }

    @Override
    protected boolean isReady() {
        return Http.status(http, url("/-/ready"), Map.of()) == 200;
    }

    @Override
    public String toString() {
        return "Prometheus on port " + port("http");
    }
}
