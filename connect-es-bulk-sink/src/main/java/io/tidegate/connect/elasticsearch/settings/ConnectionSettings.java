package io.tidegate.connect.elasticsearch.settings;

import static io.tidegate.connect.common.settings.Problem.unpaired;
import static io.tidegate.connect.common.settings.Problem.when;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.Credentials;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.tls.TlsSettings;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * How to reach the server. Tasks with equal settings share one HTTP client, so equality depends on all of these values.
 * The text form shows no secret.
 *
 * @param urls the nodes, all with the same path
 * @param connectTimeout how long to wait until a connection is open, or one becomes free
 * @param readTimeout how long to wait for the next bytes of a response
 * @param maxConnections most connections of a worker to this server
 * @param compression whether request bodies are compressed
 * @param maxIdle a connection that is idle for this long is replaced; zero for no limit
 * @param maxLifetime a connection of this age is replaced; zero for no limit
 * @param product which server it is
 * @param proxy the forward proxy on the way, if there is one
 * @param headers of every request
 */
public record ConnectionSettings(
        List<URI> urls,
        Credentials credentials,
        TlsSettings tls,
        Duration connectTimeout,
        Duration readTimeout,
        int maxConnections,
        boolean compression,
        Duration maxIdle,
        Duration maxLifetime,
        ServerProduct product,
        Optional<ProxySettings> proxy,
        ExtraHeaders headers) {
    private static final Pattern LOCAL = Pattern.compile("localhost|127\\..*|\\[::1]");

    public static final String CONNECTION_URL = "connection.url";
    public static final String CLOUD_ID = "cloud.id";
    public static final String HTTP_HEADERS = "http.headers";
    public static final String CONNECTION_USERNAME = "connection.username";
    public static final String CONNECTION_PASSWORD = "connection.password";
    public static final String CONNECTION_API_KEY = "connection.api.key";
    public static final String CONNECTION_BEARER_TOKEN = "connection.bearer.token";
    public static final String CONNECTION_TIMEOUT_MS = "connection.timeout.ms";
    public static final String READ_TIMEOUT_MS = "read.timeout.ms";
    public static final String CONNECTION_POOL_MAX_SIZE = "connection.pool.max.size";
    public static final String CONNECTION_COMPRESSION = "connection.compression";
    public static final String CONNECTION_MAX_IDLE_MS = "connection.max.idle.ms";
    public static final String CONNECTION_MAX_LIFETIME_MS = "connection.max.lifetime.ms";
    public static final String SERVER_PRODUCT = "server.product";

    public ConnectionSettings {
        urls = List.copyOf(urls);
        requireNonNull(credentials, "credentials");
        requireNonNull(tls, "tls");
        requireNonNull(connectTimeout, "connectTimeout");
        requireNonNull(readTimeout, "readTimeout");
        requireNonNull(maxIdle, "maxIdle");
        requireNonNull(maxLifetime, "maxLifetime");
        requireNonNull(product, "product");
        requireNonNull(proxy, "proxy");
        requireNonNull(headers, "headers");
    }

    public static ConfigDef define(ConfigDef def) {
        SettingGroup group = new SettingGroup(def, "Connection")
                .list(CONNECTION_URL, "URLs")
                .parsedBy("http:// or https:// URLs of the nodes of one cluster", ConnectionSettings::checkUrls)
                .high("The nodes to write to, such as `https://es1:9200,https://es2:9200`. Requests go to each in"
                        + " turn. A node that does not answer is left out for a while. Without a port, 80 or 443. Set"
                        + " either this or " + CLOUD_ID + ".")
                .text(CLOUD_ID, "Cloud ID", "")
                .parsedBy("the id of a deployment on Elastic Cloud", ConnectionSettings::checkCloudId)
                .medium("The id of a deployment on Elastic Cloud, as its page there shows it, instead of "
                        + CONNECTION_URL + ".");
        return limits(headers(ProxySettings.define(credentials(group)))).configDef();
    }

    private static void checkUrls(List<String> urls) {
        if (!urls.isEmpty()) {
            NodeUrls.parse(urls);
        }
    }

    private static void checkCloudId(String id) {
        if (!id.isEmpty()) {
            NodeUrls.ofCloud(id);
        }
    }

    private static SettingGroup headers(SettingGroup group) {
        return group.secret(HTTP_HEADERS, "Headers")
                .parsedBy("`Name: value`", text -> new ExtraHeaders(text).values())
                .low("Headers of every request, for a gateway: `Name: value`, several separated by `|` or line ends."
                        + " Headers that the sink sets, such as Authorization, are not allowed.");
    }

    private static SettingGroup credentials(SettingGroup group) {
        SettingGroup withSecrets = group.text(CONNECTION_USERNAME, "User name", "")
                .medium("The user to authenticate as. Empty for none, or with " + CONNECTION_API_KEY + ".")
                .secret(CONNECTION_PASSWORD, "Password")
                .medium("The password of " + CONNECTION_USERNAME + ".")
                .secret(CONNECTION_API_KEY, "API key")
                .medium("The API key to authenticate with: `encoded` as Elasticsearch prints it, or `id:key`.")
                .secret(CONNECTION_BEARER_TOKEN, "Bearer token")
                .low("The bearer token to authenticate with, of a service account or an identity provider that"
                        + " Elasticsearch trusts.");
        return CredentialsSettings.defineForRequests(withSecrets);
    }

    private static SettingGroup limits(SettingGroup group) {
        return group.millis(CONNECTION_TIMEOUT_MS, "Connection timeout", 5_000)
                .between(1, 600_000)
                .low("How long to wait until a connection is opened, or until one of " + CONNECTION_POOL_MAX_SIZE
                        + " is free, in milliseconds.")
                .millis(READ_TIMEOUT_MS, "Read timeout", 60_000)
                .between(1, 3_600_000)
                .low("How long to wait for the next bytes of the server's response, in milliseconds. After that, or"
                        + " after twice the sum of this and " + CONNECTION_TIMEOUT_MS + " in total, the request is"
                        + " sent again.")
                .integer(CONNECTION_POOL_MAX_SIZE, "Maximum connections", 100)
                .between(1, 10_000)
                .low("Maximum connections that a worker opens to this server, for all tasks and connectors with the"
                        + " same connection settings. Allow max.in.flight.requests for each task.")
                .flag(CONNECTION_COMPRESSION, "Compression", false)
                .low("Whether requests are compressed (gzip): less network for more CPU.")
                .millis(CONNECTION_MAX_IDLE_MS, "Longest idle time", 30_000)
                .between(0, 86_400_000)
                .low("How long a connection may be unused, in milliseconds, before it is replaced. Set it below the"
                        + " time after which a load balancer or firewall drops idle connections. 0 for no limit.")
                .millis(CONNECTION_MAX_LIFETIME_MS, "Longest lifetime", 300_000)
                .between(0, 86_400_000)
                .low("How long a connection is used, in milliseconds, before it is replaced, so that a name's new"
                        + " addresses are found. 0 for no limit.")
                .oneOf(SERVER_PRODUCT, "Product", ServerProduct.ELASTICSEARCH)
                .low("Which product the server is. OpenSearch needs `opensearch` only with"
                        + " destination.type=data_stream. Collections of OpenSearch Serverless need"
                        + " `opensearch_serverless`, or for time series and vector search, whose documents have no"
                        + " ids, `opensearch_serverless_time_series`.");
    }

    public static ConnectionSettings from(AbstractConfig config) {
        return new ConnectionSettings(
                urls(config),
                credentials(config),
                TlsSettings.from(config),
                Duration.ofMillis(config.getLong(CONNECTION_TIMEOUT_MS)),
                Duration.ofMillis(config.getLong(READ_TIMEOUT_MS)),
                config.getInt(CONNECTION_POOL_MAX_SIZE),
                config.getBoolean(CONNECTION_COMPRESSION),
                Duration.ofMillis(config.getLong(CONNECTION_MAX_IDLE_MS)),
                Duration.ofMillis(config.getLong(CONNECTION_MAX_LIFETIME_MS)),
                EnumSetting.read(config, SERVER_PRODUCT, ServerProduct.class),
                ProxySettings.from(config),
                new ExtraHeaders(config.getPassword(HTTP_HEADERS)));
    }

    /** Settings that are missing or contradict each other. Without any, {@link #from} succeeds. */
    public static List<Problem> problems(AbstractConfig config) {
        boolean url = !config.getList(CONNECTION_URL).isEmpty();
        boolean cloud = !config.getString(CLOUD_ID).isEmpty();
        String username = config.getString(CONNECTION_USERNAME);
        boolean apiKey = isSet(config, CONNECTION_API_KEY);
        boolean token = isSet(config, CONNECTION_BEARER_TOKEN);
        CredentialsSettings provider = CredentialsSettings.from(config);
        boolean signsHost = provider.provider().equals(CredentialsSettings.AWS);
        List<Problem> problems = Problem.of(
                when(url && cloud, CLOUD_ID, "is used instead of " + CONNECTION_URL + "; set one of the two"),
                when(!url && !cloud, CONNECTION_URL, "is missing: at least one URL is needed, or " + CLOUD_ID),
                when(
                        !provider.isNone() && (token || apiKey || !username.isEmpty()),
                        CredentialsSettings.PROVIDER,
                        "is used instead of a user, an API key or a token; set one of them"),
                when(
                        token && (apiKey || !username.isEmpty()),
                        CONNECTION_BEARER_TOKEN,
                        "is used instead of a user or an API key; set one of them"),
                when(
                        apiKey && !username.isEmpty(),
                        CONNECTION_API_KEY,
                        "is used instead of " + CONNECTION_USERNAME + "; set one of the two"),
                unpaired(CONNECTION_USERNAME, username, CONNECTION_PASSWORD, config.getPassword(CONNECTION_PASSWORD)),
                when(
                        signsHost && config.getList(CONNECTION_URL).size() > 1,
                        CONNECTION_URL,
                        "names several nodes, and a signature of AWS is for one: name the endpoint of the domain or"
                                + " collection"));
        return Stream.of(problems, ProxySettings.problems(config), CredentialsSettings.problems(config))
                .flatMap(List::stream)
                .toList();
    }

    private static boolean isSet(AbstractConfig config, String secret) {
        return !config.getPassword(secret).value().isEmpty();
    }

    private static List<URI> urls(AbstractConfig config) {
        String cloud = config.getString(CLOUD_ID);
        return cloud.isEmpty() ? NodeUrls.parse(config.getList(CONNECTION_URL)) : List.of(NodeUrls.ofCloud(cloud));
    }

    /** The same settings for a few requests by hand: one connection, and these time limits. */
    public ConnectionSettings within(Duration connect, Duration read) {
        return new ConnectionSettings(
                urls, credentials, tls, connect, read, 1, false, maxIdle, maxLifetime, product, proxy, headers);
    }

    private static Credentials credentials(AbstractConfig config) {
        CredentialsSettings provider = CredentialsSettings.from(config);
        return provider.isNone()
                ? Credentials.of(
                        config.getPassword(CONNECTION_API_KEY),
                        config.getPassword(CONNECTION_BEARER_TOKEN),
                        config.getString(CONNECTION_USERNAME),
                        config.getPassword(CONNECTION_PASSWORD))
                : Credentials.of(provider);
    }

    /** Warnings about settings that are valid but perhaps not what the user means. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        List<String> plain = urls.stream()
                .filter(url -> url.getScheme().equals("http"))
                .map(URI::toString)
                .toList();
        if (plain.size() == urls.size() && tls.isSet()) {
            warnings.add("settings of TLS have no effect, because " + CONNECTION_URL + " has http:// and not https://");
        }
        if (!plain.isEmpty() && plain.size() < urls.size()) {
            warnings.add(CONNECTION_URL + " has https:// and http://: what goes to " + plain + " is not encrypted");
        }
        boolean leavesTheMachine = urls.stream()
                .anyMatch(url -> url.getScheme().equals("http")
                        && !LOCAL.matcher(url.getHost()).matches());
        if (leavesTheMachine && credentials.isSecret()) {
            warnings.add("the credentials go over the network without encryption, because " + CONNECTION_URL
                    + " has http://");
        }
        return warnings;
    }

    /** The settings that a collection of OpenSearch Serverless cannot serve. */
    public List<Problem> problems(IndexSettings index, DocumentSettings documents) {
        return Problem.of(
                when(
                        product.isServerless() && index.type() == DestinationType.DATA_STREAM,
                        IndexSettings.DESTINATION_TYPE,
                        "OpenSearch Serverless has no data streams; use any or alias"),
                when(
                        !product.hasIds() && documents.id().kind() != IdSource.Kind.NONE,
                        DocumentSettings.DOCUMENT_ID,
                        "time series and vector search collections of OpenSearch Serverless take no ids; use none."
                                + " Records that are delivered again after a failure are then stored twice"));
    }

    /** The nodes as the user wrote them, and the proxy. */
    public String nodes() {
        return urls.stream().map(URI::toString).collect(Collectors.joining(","))
                + proxy.map(each -> " through the proxy " + each.host() + ":" + each.port())
                        .orElse("");
    }

    @Override
    public String toString() {
        return nodes() + " (" + credentials + ", " + tls + ", " + CONNECTION_POOL_MAX_SIZE + " " + maxConnections + ")";
    }
}
