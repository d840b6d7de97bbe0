package io.tidegate.connect.elasticsearch.settings;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.types.Password;

/**
 * How to reach the server. Tasks with equal settings share one HTTP client, so this is also what makes two the same;
 * printing it shows no secret.
 *
 * @param urls the nodes, all with the same path
 * @param connectTimeout for a connection to be made, or to come free
 * @param readTimeout for the next bytes of an answer
 * @param maxConnections most connections of a worker to this server
 * @param compression whether request bodies are compressed
 */
public record ConnectionSettings(
        List<URI> urls,
        Credentials credentials,
        TlsSettings tls,
        Duration connectTimeout,
        Duration readTimeout,
        int maxConnections,
        boolean compression) {
    public static final String CONNECTION_URL = "connection.url";
    public static final String CONNECTION_USERNAME = "connection.username";
    public static final String CONNECTION_PASSWORD = "connection.password";
    public static final String CONNECTION_API_KEY = "connection.api.key";
    public static final String CONNECTION_BEARER_TOKEN = "connection.bearer.token";
    public static final String CONNECTION_TIMEOUT_MS = "connection.timeout.ms";
    public static final String READ_TIMEOUT_MS = "read.timeout.ms";
    public static final String CONNECTION_POOL_MAX_SIZE = "connection.pool.max.size";
    public static final String CONNECTION_COMPRESSION = "connection.compression";

    private static final String GROUP = "Connection";

    public ConnectionSettings {
        urls = List.copyOf(urls);
        requireNonNull(credentials, "credentials");
        requireNonNull(tls, "tls");
        requireNonNull(connectTimeout, "connectTimeout");
        requireNonNull(readTimeout, "readTimeout");
    }

    public static ConfigDef define(ConfigDef def) {
        return defineLimits(defineCredentials(def.define(
                CONNECTION_URL,
                Type.LIST,
                ConfigDef.NO_DEFAULT_VALUE,
                Checks.parses("http:// or https:// URLs of the nodes of one cluster", NodeUrls::parse),
                Importance.HIGH,
                "The nodes to write to, as a list of URLs such as `https://es1:9200,https://es2:9200`. Requests go to each"
                        + " in turn; one that does not answer is left out for a while. Without a port, 80 or 443.",
                GROUP,
                1,
                ConfigDef.Width.LONG,
                "URLs")));
    }

    private static ConfigDef defineCredentials(ConfigDef def) {
        int order = 1;
        return def.define(
                        CONNECTION_USERNAME,
                        Type.STRING,
                        "",
                        Importance.MEDIUM,
                        "The user to authenticate as. Empty for none, or with " + CONNECTION_API_KEY + ".",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "User name")
                .define(
                        CONNECTION_PASSWORD,
                        Type.PASSWORD,
                        "",
                        Importance.MEDIUM,
                        "The password of " + CONNECTION_USERNAME + ".",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Password")
                .define(
                        CONNECTION_API_KEY,
                        Type.PASSWORD,
                        "",
                        Importance.MEDIUM,
                        "The API key to authenticate with instead of a user: `encoded` as Elasticsearch prints it, or"
                                + " `id:key`.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "API key")
                .define(
                        CONNECTION_BEARER_TOKEN,
                        Type.PASSWORD,
                        "",
                        Importance.LOW,
                        "The bearer token to authenticate with instead of a user or an API key: of a service account, or from"
                                + " an identity provider that Elasticsearch trusts.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.MEDIUM,
                        "Bearer token");
    }

    private static ConfigDef defineLimits(ConfigDef def) {
        int order = 5;
        return def.define(
                        CONNECTION_TIMEOUT_MS,
                        Type.LONG,
                        5_000L,
                        Range.between(1, 600_000),
                        Importance.LOW,
                        "How long to wait for a connection to be made, or for one of " + CONNECTION_POOL_MAX_SIZE
                                + " to come free, in milliseconds.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Connection timeout")
                .define(
                        READ_TIMEOUT_MS,
                        Type.LONG,
                        60_000L,
                        Range.between(1, 3_600_000),
                        Importance.LOW,
                        "How long to wait for the server to go on with its answer, in milliseconds. A request that takes"
                                + " longer is sent again.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Read timeout")
                .define(
                        CONNECTION_POOL_MAX_SIZE,
                        Type.INT,
                        100,
                        Range.between(1, 10_000),
                        Importance.LOW,
                        "Most connections that a worker holds to this server, for all tasks and connectors with the same"
                                + " connection settings. They are made when needed; allow max.in.flight.requests for each"
                                + " task that a worker may run.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Most connections")
                .define(
                        CONNECTION_COMPRESSION,
                        Type.BOOLEAN,
                        false,
                        Importance.LOW,
                        "Whether requests are compressed (gzip): less network for more CPU.",
                        GROUP,
                        ++order,
                        ConfigDef.Width.SHORT,
                        "Compression");
    }

    public static ConnectionSettings from(AbstractConfig config) {
        return new ConnectionSettings(
                NodeUrls.parse(config.getList(CONNECTION_URL)),
                credentials(config),
                TlsSettings.from(config),
                Duration.ofMillis(config.getLong(CONNECTION_TIMEOUT_MS)),
                Duration.ofMillis(config.getLong(READ_TIMEOUT_MS)),
                config.getInt(CONNECTION_POOL_MAX_SIZE),
                config.getBoolean(CONNECTION_COMPRESSION));
    }

    private static Credentials credentials(AbstractConfig config) {
        Password apiKey = config.getPassword(CONNECTION_API_KEY);
        if (!apiKey.value().isEmpty()) {
            return new Credentials.ApiKey(apiKey);
        }
        Password token = config.getPassword(CONNECTION_BEARER_TOKEN);
        if (!token.value().isEmpty()) {
            return new Credentials.Bearer(token);
        }
        String username = config.getString(CONNECTION_USERNAME);
        return username.isEmpty()
                ? new Credentials.Anonymous()
                : new Credentials.Basic(username, config.getPassword(CONNECTION_PASSWORD));
    }

    /** The nodes as the user wrote them. */
    public String nodes() {
        return urls.stream().map(URI::toString).collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        return nodes() + " (" + credentials + ", " + tls + ", " + CONNECTION_POOL_MAX_SIZE + " " + maxConnections + ")";
    }
}
