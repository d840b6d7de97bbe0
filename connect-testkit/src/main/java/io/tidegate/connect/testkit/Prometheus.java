package io.tidegate.connect.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.Ports;
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
import java.util.Optional;

/** A Prometheus server from the program of that name, which not every machine has: see {@link #isInstalled}. */
public final class Prometheus extends ChildServer {
    private static final Optional<Path> PROGRAM = Programs.find("prometheus");

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));
    private final String configuration;
    private int port;

    private Prometheus(String configuration) {
        super("prometheus");
        this.configuration = configuration;
        choosePorts();
    }

    /** Whether there is one on the search path. */
    public static boolean isInstalled() {
        return PROGRAM.isPresent();
    }

    /**
     * One that is not started yet.
     *
     * @param configuration the text of its {@code prometheus.yml}; rule files by absolute names
     */
    public static Prometheus configured(String configuration) {
        return new Prometheus(Objects.requireNonNull(configuration, "configuration"));
    }

    /**
     * What it answers to a GET.
     *
     * @param path below {@code /api/v1/}, such as {@code rules}
     * @throws ServerException when there is no answer within a minute or its status is not 2xx
     */
    public JsonNode get(String path) {
        return RestClient.parse(Http.exchange(http, "GET", url("/api/v1/" + path), Map.of(), ""))
                .path("data");
    }

    /** The series that an expression has now, each with {@code metric} and {@code value}. */
    public JsonNode query(String expression) {
        return get("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .path("result");
    }

    private URI url(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    @Override
    protected void choosePorts() {
        port = Ports.free();
    }

    @Override
    protected Launch prepare() {
        Path config = folder().resolve("prometheus.yml");
        Folders.write(config, configuration);
        return new Launch(
                List.of(
                        PROGRAM.orElseThrow(() -> new ServerException("prometheus is not installed"))
                                .toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder().resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port),
                Map.of());
    }

    @Override
    protected boolean isReady() {
        return Http.status(http, url("/-/ready"), Map.of()) == 200;
    }

    @Override
    public String toString() {
        return "Prometheus on port " + port;
    }
}
