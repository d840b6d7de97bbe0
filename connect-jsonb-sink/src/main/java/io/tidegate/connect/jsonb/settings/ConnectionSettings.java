package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.postgresql.Driver;

/**
 * Where the server is, who we are there, and how many connections a worker may open.
 *
 * @param login what connectors have to have in common to share a pool
 * @param limits how many connections, and how long to wait
 * @param connector its name, for its sessions on the server
 */
public record ConnectionSettings(ServerLogin login, PoolLimits limits, String connector) {
    public static final String URL = "connection.url";
    public static final String USER = "connection.user";
    public static final String PASSWORD = "connection.password";
    public static final String POOL_MAX_SIZE = "connection.pool.max.size";
    public static final String POOL_WAIT_MS = "connection.pool.wait.ms";
    static final String CONNECT_TIMEOUT_MS = "connection.timeout.ms";
    static final String SOCKET_TIMEOUT_MS = "socket.timeout.ms";

    private static final String GROUP = "Connection";

    public ConnectionSettings {
        requireNonNull(login, "login");
        requireNonNull(limits, "limits");
        requireNonNull(connector, "connector");
    }

    public static ConfigDef define(ConfigDef def) {
        int order = 0;
        return def.define(
                        URL,
                        Type.STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        ConfigDef.LambdaValidator.with(ConnectionSettings::checkUrl, () -> "a pgjdbc URL"),
                        Importance.HIGH,
                        "JDBC URL of the server, for example `jdbc:postgresql://a:5432,b:5432/db`. With several hosts the"
                                + " primary is found wherever it is (`targetServerType=primary`). Driver properties in the"
                                + " URL take precedence over this connector's own.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.LONG,
                        "URL")
                .define(
                        USER,
                        Type.STRING,
                        "",
                        Importance.HIGH,
                        "Database user.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "User")
                .define(
                        PASSWORD,
                        Type.PASSWORD,
                        "",
                        Importance.HIGH,
                        "Password of the database user. Use a config provider, so that it stands in no connector"
                                + " configuration.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Password")
                .define(
                        POOL_MAX_SIZE,
                        Type.INT,
                        4,
                        Range.between(1, 1_000),
                        Importance.HIGH,
                        "Most connections that a worker opens to this server with these credentials, whatever the number of"
                                + " tasks and connectors: plan for workers x this number. Where connectors that share it say"
                                + " different numbers, the largest counts.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Pool size")
                .define(
                        POOL_WAIT_MS,
                        Type.LONG,
                        10_000L,
                        Range.between(250, 600_000),
                        Importance.LOW,
                        "How long a batch waits for a connection of the pool before it is tried again after a pause, in"
                                + " milliseconds.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Pool wait")
                .define(
                        CONNECT_TIMEOUT_MS,
                        Type.LONG,
                        5_000L,
                        Range.between(1_000, 600_000),
                        Importance.LOW,
                        "How long opening a connection to one host may take, in milliseconds; rounded up to seconds.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Connect timeout")
                .define(
                        SOCKET_TIMEOUT_MS,
                        Type.LONG,
                        60_000L,
                        Range.between(1_000, 3_600_000),
                        Importance.MEDIUM,
                        "How long the server may take to answer a statement before the connection is given up and the batch"
                                + " is written again, in milliseconds; rounded up to seconds. It bounds what a server that"
                                + " hangs can hold.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Socket timeout");
    }

    private static void checkUrl(String key, Object value) {
        if (!(value instanceof String url) || Driver.parseURL(url, null) == null) {
            // The value is not repeated: it may hold a password.
            throw new ConfigException(key + " is not a URL that pgjdbc understands; it looks like"
                    + " jdbc:postgresql://host:5432/database");
        }
    }

    public static ConnectionSettings from(AbstractConfig config) {
        return new ConnectionSettings(
                new ServerLogin(config.getString(URL), config.getString(USER), config.getPassword(PASSWORD)),
                new PoolLimits(
                        config.getInt(POOL_MAX_SIZE),
                        Duration.ofMillis(config.getLong(POOL_WAIT_MS)),
                        Duration.ofMillis(config.getLong(CONNECT_TIMEOUT_MS)),
                        Duration.ofMillis(config.getLong(SOCKET_TIMEOUT_MS))),
                String.valueOf(config.originals().getOrDefault("name", "unnamed")));
    }

    /** Hosts and database of the URL; none of its other parts, which may hold secrets. */
    public String server() {
        return login.server();
    }

    /** What this connector's sessions are called on the server. */
    public String sessionName() {
        return SessionName.of(connector);
    }

    @Override
    public String toString() {
        return login.toString();
    }
}
