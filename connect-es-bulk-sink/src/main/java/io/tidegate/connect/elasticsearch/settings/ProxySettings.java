package io.tidegate.connect.elasticsearch.settings;

import static io.tidegate.connect.common.settings.Problem.unpaired;
import static io.tidegate.connect.common.settings.Problem.when;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.types.Password;

/**
 * The forward proxy on the way to the server. The text form shows no secret.
 *
 * @param username the user of the proxy; empty for none
 */
public record ProxySettings(String host, int port, String username, Password password) {
    public static final String PROXY_HOST = "proxy.host";
    public static final String PROXY_PORT = "proxy.port";
    public static final String PROXY_USERNAME = "proxy.username";
    public static final String PROXY_PASSWORD = "proxy.password";

    private static final int PORT = 8080;
    private static final int LAST_PORT = 65_535;

    public ProxySettings {
        requireNonNull(host, "host");
        requireNonNull(username, "username");
        requireNonNull(password, "password");
    }

    static SettingGroup define(SettingGroup group) {
        return group.text(PROXY_HOST, "Proxy host", "")
                .low("The host of an HTTP proxy for all requests. Empty for none. Requests to https:// go through a"
                        + " tunnel (CONNECT).")
                .integer(PROXY_PORT, "Proxy port", PORT)
                .between(1, LAST_PORT)
                .low("The port of " + PROXY_HOST + ".")
                .text(PROXY_USERNAME, "Proxy user name", "")
                .low("The user to authenticate as to the proxy (Basic authentication). Empty for none.")
                .secret(PROXY_PASSWORD, "Proxy password")
                .low("The password of " + PROXY_USERNAME + ".");
    }

    static Optional<ProxySettings> from(AbstractConfig config) {
        String host = config.getString(PROXY_HOST).trim();
        return host.isEmpty()
                ? Optional.empty()
                : Optional.of(new ProxySettings(
                        host,
                        config.getInt(PROXY_PORT),
                        config.getString(PROXY_USERNAME),
                        config.getPassword(PROXY_PASSWORD)));
    }

    /** Settings that contradict each other. */
    public static List<Problem> problems(AbstractConfig config) {
        String host = config.getString(PROXY_HOST);
        String username = config.getString(PROXY_USERNAME);
        return Problem.of(
                when(
                        host.contains("/") || host.contains("@"),
                        PROXY_HOST,
                        "is a host name or an address, without http:// and credentials; see " + PROXY_PORT),
                when(
                        host.isBlank() && !username.isEmpty(),
                        PROXY_HOST,
                        "is missing: " + PROXY_USERNAME + " is the user of a proxy"),
                unpaired(PROXY_USERNAME, username, PROXY_PASSWORD, config.getPassword(PROXY_PASSWORD)));
    }

    @Override
    public String toString() {
        return "proxy " + host + ":" + port + (username.isEmpty() ? "" : " as " + username);
    }
}
