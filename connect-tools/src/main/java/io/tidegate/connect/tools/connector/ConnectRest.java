package io.tidegate.connect.tools.connector;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/** Reads from Connect's REST interface. Nothing is changed there. */
final class ConnectRest {
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final URI url;
    private final Optional<String> user;
    private final String password;

    /**
     * Connects to nothing yet.
     *
     * @param url of any worker of the cluster; may have a path
     * @param user for basic authentication; empty for none
     */
    ConnectRest(URI url, Optional<String> user, String password) {
        this.url = requireNonNull(url, "url");
        this.user = requireNonNull(user, "user");
        this.password = requireNonNull(password, "password");
    }

    /**
     * The settings of a connector as Connect has them: references to configuration providers are not resolved.
     *
     * @throws ToolException if Connect does not answer, or has no such connector
     */
    ConnectorFile connector(String name) throws ToolException, InterruptedException {
        String path =
                "/connectors/" + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        HttpResponse<byte[]> response = get(path + "/config");
        if (response.statusCode() == NOT_FOUND) {
            throw new ToolException("Connect at " + url + " has no connector " + name + ". It has "
                    + new String(get("/connectors").body(), StandardCharsets.UTF_8));
        }
        if (response.statusCode() != OK) {
            throw new ToolException("Connect at " + url + " answers with status " + response.statusCode()
                    + switch (response.statusCode()) {
                        case 401, 403 ->
                            ": use --connect-user and --connect-password, or the variable TIDEGATE_CONNECT_PASSWORD";
                        case 409 -> ": its workers are being rebalanced. Try again";
                        default -> "";
                    });
        }
        return ConnectorFile.of(response.body(), "the answer of Connect at " + url, name);
    }

    private HttpResponse<byte[]> get(String path) throws ToolException, InterruptedException {
        if (url.getRawUserInfo() != null) {
            throw new ToolException("--connect must have no password: use --connect-user and --connect-password,"
                    + " or the variable TIDEGATE_CONNECT_PASSWORD");
        }
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create(url.toString().replaceFirst("/+$", "") + path))
                    .timeout(TIMEOUT)
                    .header("Accept", "application/json");
            user.ifPresent(known -> request.header("Authorization", "Basic " + encoded(known)));
            return HttpClient.newBuilder()
                    .connectTimeout(TIMEOUT)
                    .followRedirects(Redirect.NORMAL)
                    .build()
                    .send(request.build(), BodyHandlers.ofByteArray());
        } catch (IllegalArgumentException e) {
            throw new ToolException(url + " is not an address such as http://connect:8083", e);
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new ToolException("Connect at " + url + " does not answer: " + reason, e);
        }
    }

    private String encoded(String known) {
        return Base64.getEncoder().encodeToString((known + ':' + password).getBytes(StandardCharsets.UTF_8));
    }
}
