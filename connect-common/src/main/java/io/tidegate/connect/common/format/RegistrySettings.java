package io.tidegate.connect.common.format;

import static io.tidegate.connect.common.settings.Problem.unpaired;
import static io.tidegate.connect.common.settings.Problem.when;
import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.Credentials;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.ServerUrl;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.tls.Tls;
import io.tidegate.connect.common.tls.TlsSettings;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.types.Password;

/**
 * How a schema registry is reached.
 *
 * @param urls of its API, each tried until one answers
 * @param usedId which of Apicurio's ids 4 bytes are, at its own API
 * @param username for basic authentication; empty for none
 * @param bearerToken instead of a user; empty for none
 * @param tls the authorities to trust, and the sink's certificate
 */
public record RegistrySettings(
        List<URI> urls, UsedId usedId, String username, Password password, Password bearerToken, TlsSettings tls) {
    public static final String SCHEMA_REGISTRY_URL = "schema.registry.url";
    public static final String USE_ID = "schema.registry.use.id";
    public static final String USERNAME = "schema.registry.username";
    public static final String PASSWORD = "schema.registry.password";
    public static final String BEARER_TOKEN = "schema.registry.bearer.token";
    private static final String APICURIO_API = "/apis/registry/v";
    private static final String TLS_PREFIX = "schema.registry.";
    private static final String TRUSTSTORE_LOCATION = TLS_PREFIX + TlsSettings.SSL_TRUSTSTORE_LOCATION;
    private static final String TRUSTSTORE_PASSWORD = TLS_PREFIX + TlsSettings.SSL_TRUSTSTORE_PASSWORD;
    private static final String KEYSTORE_LOCATION = TLS_PREFIX + TlsSettings.SSL_KEYSTORE_LOCATION;
    private static final String KEYSTORE_PASSWORD = TLS_PREFIX + TlsSettings.SSL_KEYSTORE_PASSWORD;

    /** Apicurio's ids. */
    public enum UsedId {
        /** Of a text, which several versions may have. */
        CONTENT,
        /** Of a version. */
        GLOBAL
    }

    public RegistrySettings {
        urls = List.copyOf(urls);
        requireNonNull(usedId, "usedId");
        requireNonNull(username, "username");
        requireNonNull(password, "password");
        requireNonNull(bearerToken, "bearerToken");
        requireNonNull(tls, "tls");
    }

    static SettingGroup define(SettingGroup group) {
        return group.list(SCHEMA_REGISTRY_URL, "Schema registry")
                .eachParsedBy("http:// or https:// URLs", RegistrySettings::url)
                .medium("The URLs of the registry's API, any of which may answer. Confluent's API, such as"
                        + " `https://registry:8081` or Apicurio's `http://registry:8080/apis/ccompat/v7`, has ids of 4"
                        + " bytes. Apicurio's own, such as `http://registry:8080/apis/registry/v2`, also has ids of 8"
                        + " bytes. Each task asks again for a known schema at most once a minute, or every"
                        + " second if values do not fit it.")
                .oneOf(USE_ID, "Registry id", UsedId.CONTENT)
                .low("Which of Apicurio's ids a frame's 4 bytes are, at Apicurio's own API: `content` or `global`. It"
                        + " must be the serializers' `apicurio.registry.use-id`. Their default is `contentId` in 3.x;"
                        + " in 2.x it is `globalId`, which `Legacy4ByteIdHandler` writes in 4 bytes.")
                .text(USERNAME, "Registry user", "")
                .low("The user for basic authentication at the schema registry.")
                .secret(PASSWORD, "Registry password")
                .low("The password of " + USERNAME + ".")
                .secret(BEARER_TOKEN, "Registry token")
                .low("A token for the schema registry, sent as `Authorization: Bearer` instead of a user.")
                .text(TRUSTSTORE_LOCATION, "Registry trust store", "")
                .low("The certificate authorities to trust for the schema registry: a PEM, PKCS #12 or JKS file"
                        + " on the worker. It is read again when it changes. Empty for those that the worker's JVM"
                        + " trusts.")
                .secret(TRUSTSTORE_PASSWORD, "Registry trust store password")
                .low("The password of " + TRUSTSTORE_LOCATION + ", if it is a store.")
                .text(KEYSTORE_LOCATION, "Registry key store", "")
                .low("The sink's certificate and key, if the schema registry asks for one: a PKCS #12 or JKS store,"
                        + " or a PEM file with both, on the worker. It is read again when it changes.")
                .secret(KEYSTORE_PASSWORD, "Registry key store password")
                .low("The password of " + KEYSTORE_LOCATION + " and of the key in it.");
    }

    static RegistrySettings from(AbstractConfig config) {
        return new RegistrySettings(
                config.getList(SCHEMA_REGISTRY_URL).stream()
                        .map(RegistrySettings::url)
                        .toList(),
                EnumSetting.read(config, USE_ID, UsedId.class),
                config.getString(USERNAME).trim(),
                config.getPassword(PASSWORD),
                config.getPassword(BEARER_TOKEN),
                TlsSettings.ofFiles(
                        TLS_PREFIX,
                        config.getString(TRUSTSTORE_LOCATION).trim(),
                        config.getPassword(TRUSTSTORE_PASSWORD),
                        config.getString(KEYSTORE_LOCATION).trim(),
                        config.getPassword(KEYSTORE_PASSWORD)));
    }

    /** Who the sink is to the registry. */
    public Credentials credentials() {
        return Credentials.of(new Password(""), bearerToken, username, password);
    }

    /** Whether this is a URL of Apicurio's own API. */
    public static boolean isApicurios(URI url) {
        return url.getPath() != null && url.getPath().contains(APICURIO_API);
    }

    private static URI url(String text) {
        return ServerUrl.parse(text, USERNAME + " and " + BEARER_TOKEN);
    }

    /** The settings that do not fit together, or name no file. */
    List<Problem> problems() {
        List<Problem> problems = Problem.of(
                when(urls.isEmpty(), SCHEMA_REGISTRY_URL, FormatSettings.VALUE_FORMAT + "=avro needs it"),
                when(
                        usedId == UsedId.GLOBAL && !urls.stream().allMatch(RegistrySettings::isApicurios),
                        USE_ID,
                        "global needs Apicurio's own API in " + SCHEMA_REGISTRY_URL
                                + ", such as http://registry:8080/apis/registry/v2"),
                when(
                        !username.isEmpty() && !bearerToken.value().isEmpty(),
                        BEARER_TOKEN,
                        "is used instead of " + USERNAME + "; set one of the two"),
                unpaired(USERNAME, username, PASSWORD, password));
        return Stream.concat(problems.stream(), Tls.problems(tls).stream()).toList();
    }
}
