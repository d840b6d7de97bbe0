package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Where the server is, who we are there, and how many connections a worker may open.
 *
 * @param login connectors share a pool if it is equal, and the limits too
 * @param limits how many connections, and how long to wait
 * @param connector its name, which takes turns with others and is in the names of its sessions
 */
public record ConnectionSettings(ServerLogin login, PoolLimits limits, String connector) {
    public static final String URL = "connection.url";
    public static final String USER = "connection.user";
    public static final String PASSWORD = "connection.password";
    public static final String POOL_MAX_SIZE = "connection.pool.max.size";
    public static final String POOL_WAIT_MS = "connection.pool.wait.ms";
    public static final String COMMIT_DURABILITY = "commit.durability";
    static final String CONNECT_TIMEOUT_MS = "connection.timeout.ms";
    static final String SOCKET_TIMEOUT_MS = "socket.timeout.ms";

    /** Driver properties and the values in a URL that would keep the sink from writing. */
    private static final Map<PGProperty, Predicate<String>> UNUSABLE = Map.of(
            PGProperty.READ_ONLY, text -> !text.equalsIgnoreCase("false"),
            PGProperty.BINARY_TRANSFER, text -> !text.equalsIgnoreCase("true"),
            PGProperty.BINARY_TRANSFER_ENABLE, text -> true,
            PGProperty.BINARY_TRANSFER_DISABLE, text -> !text.isEmpty(),
            PGProperty.PREFER_QUERY_MODE, text -> text.equalsIgnoreCase("simple"),
            PGProperty.TARGET_SERVER_TYPE,
                    text -> List.of("secondary", "slave", "preferSecondary", "preferSlave")
                            .contains(text));

    public ConnectionSettings {
        requireNonNull(login, "login");
        requireNonNull(limits, "limits");
        requireNonNull(connector, "connector");
    }

    public static ConfigDef define(ConfigDef def) {
        SettingGroup group = new SettingGroup(def, "Connection")
                .requiredText(URL, "URL")
                .validatedBy(ConfigDef.LambdaValidator.with(ConnectionSettings::checkUrl, () -> "a pgjdbc URL"))
                .high("JDBC URL of the server, such as `jdbc:postgresql://a:5432,b:5432/db`. The sink finds the"
                        + " primary among several hosts. Driver properties in the URL take precedence over the"
                        + " connector's settings, except user, password and commit.durability.")
                .text(USER, "User", "")
                .high("Database user.")
                .secret(PASSWORD, "Password")
                .high("Password of the database user. Use a config provider.");
        return CredentialsSettings.defineForPasswords(group)
                .integer(POOL_MAX_SIZE, "Pool size", 4)
                .between(1, 1_000)
                .high("Maximum connections that a worker opens to this server, for all tasks and connectors with the"
                        + " same connection settings.")
                .millis(POOL_WAIT_MS, "Pool wait", 10_000)
                .between(250, 600_000)
                .low(
                        "How long a batch waits for a free connection, in milliseconds. Then it pauses and tries again, without counting towards max.retries.")
                .millis(CONNECT_TIMEOUT_MS, "Connect timeout", 5_000)
                .between(1_000, 600_000)
                .low("How long each step of opening a connection may take, in milliseconds; rounded up to seconds.")
                .millis(SOCKET_TIMEOUT_MS, "Socket timeout", 60_000)
                .between(1_000, 3_600_000)
                .medium("How long the server may take to answer a statement, in milliseconds."
                        + " Then the connection is closed and the batch is written again.")
                .oneOf(COMMIT_DURABILITY, "Commit durability", CommitDurability.SERVER)
                .medium("When the server confirms a commit: the sessions' `synchronous_commit`. `server`:"
                        + " as it is set up. `local`: when its own disk has it, without waiting for a synchronous"
                        + " standby. `off`: at once. A crash can then lose the last commits, so `off` needs"
                        + " `delivery.guarantee=exactly_once`, which writes them again. Behind a pooler set it for the"
                        + " role instead.")
                .configDef();
    }

    private static void checkUrl(String key, Object value) {
        // The value is not repeated: it may contain a password. The driver logs what it cannot read, so it gets that
        // without
        // the parameters first.
        if (!(value instanceof String url)
                || Driver.parseURL(url.split("\\?", 2)[0], null) == null
                || Driver.parseURL(url, null) == null) {
            throw new ConfigException(key + " is not a URL that pgjdbc understands; it looks like"
                    + " jdbc:postgresql://host:5432/database");
        }
        Properties inUrl = Driver.parseURL(url, null);
        UNUSABLE.forEach((property, isUnusable) -> {
            String text = inUrl.getProperty(property.getName());
            if (text != null && isUnusable.test(text)) {
                throw new ConfigException(key + " sets " + property.getName()
                        + " so that the sink might not write: it sends rows in binary, with the extended protocol, to a"
                        + " primary. Remove it from the URL");
            }
        });
    }

    public static ConnectionSettings from(AbstractConfig config) {
        return new ConnectionSettings(
                new ServerLogin(
                        config.getString(URL),
                        config.getString(USER),
                        config.getPassword(PASSWORD),
                        CredentialsSettings.from(config),
                        EnumSetting.read(config, COMMIT_DURABILITY, CommitDurability.class)),
                new PoolLimits(
                        config.getInt(POOL_MAX_SIZE),
                        Duration.ofMillis(config.getLong(POOL_WAIT_MS)),
                        Duration.ofMillis(config.getLong(CONNECT_TIMEOUT_MS)),
                        Duration.ofMillis(config.getLong(SOCKET_TIMEOUT_MS))),
                String.valueOf(config.originals().getOrDefault("name", "unnamed")));
    }

    /** The settings that do not fit together. */
    public static List<Problem> problems(AbstractConfig config) {
        CredentialsSettings credentials = CredentialsSettings.from(config);
        List<Problem> problems = Problem.of(Problem.when(
                !credentials.isNone() && !config.getPassword(PASSWORD).value().isEmpty(),
                PASSWORD,
                "is not used with " + CredentialsSettings.PROVIDER + "; set one of the two"));
        return Stream.concat(CredentialsSettings.problems(config).stream(), problems.stream())
                .toList();
    }

    /** Hosts and database of the URL. Its other parts may contain secrets and are left out. */
    public String server() {
        return login.server();
    }

    /** The name of this connector's sessions on the server. */
    public String sessionName() {
        return SessionName.of(connector);
    }

    @Override
    public String toString() {
        return login.toString();
    }
}
