package io.tidegate.connect.common.format;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.types.Password;

/**
 * How a schema registry is reached.
 *
 * @param urls of its API, each tried until one answers
 * @param username for basic authentication; empty for none
 * @param bearerToken instead of a user; empty for none
 * @param trustStore the path of a Java store or PEM file of the authorities to trust; empty for those of the JVM
 * @param keyStore the path of a Java store with the sink's certificate; empty for none
 */
public record RegistrySettings(
        List<URI> urls,
        String username,
        Password password,
        Password bearerToken,
        String trustStore,
        Password trustStorePassword,
        String keyStore,
        Password keyStorePassword) {
    public static final String SCHEMA_REGISTRY_URL = "schema.registry.url";
    public static final String USERNAME = "schema.registry.username";
    public static final String PASSWORD = "schema.registry.password";
    public static final String BEARER_TOKEN = "schema.registry.bearer.token";
    public static final String TRUSTSTORE_LOCATION = "schema.registry.ssl.truststore.location";
    public static final String TRUSTSTORE_PASSWORD = "schema.registry.ssl.truststore.password";
    public static final String KEYSTORE_LOCATION = "schema.registry.ssl.keystore.location";
    public static final String KEYSTORE_PASSWORD = "schema.registry.ssl.keystore.password";

    public RegistrySettings {
        urls = List.copyOf(urls);
        requireNonNull(username, "username");
        requireNonNull(password, "password");
        requireNonNull(bearerToken, "bearerToken");
        requireNonNull(trustStore, "trustStore");
        requireNonNull(trustStorePassword, "trustStorePassword");
        requireNonNull(keyStore, "keyStore");
        requireNonNull(keyStorePassword, "keyStorePassword");
    }

    static SettingGroup define(SettingGroup group) {
        return group.list(SCHEMA_REGISTRY_URL, "Schema registry")
                .eachParsedBy("http:// or https:// URLs", RegistrySettings::url)
                .onlyIf(FormatSettings.VALUE_FORMAT, ValueFormat.class, format -> format != ValueFormat.CONNECT)
                .medium("The URLs of the registry's API, of which any may answer: Confluent's, such as"
                        + " `https://registry:8081`, or the same of another product (Apicurio's"
                        + " `http://registry:8080/apis/ccompat/v7`), for ids of 4 bytes; Apicurio's own, such as"
                        + " `http://registry:8080/apis/registry/v2`, for ids of 4 and 8 bytes. Each schema is asked"
                        + " for once by each task.")
                .text(USERNAME, "Registry user", "")
                .onlyIf(SCHEMA_REGISTRY_URL, RegistrySettings::isGiven)
                .low("The user for basic authentication at the schema registry.")
                .secret(PASSWORD, "Registry password")
                .onlyIf(USERNAME, SettingGroup::isSet)
                .low("The password of " + USERNAME + ".")
                .secret(BEARER_TOKEN, "Registry token")
                .onlyIf(SCHEMA_REGISTRY_URL, RegistrySettings::isGiven)
                .low("A token that is sent to the schema registry as `Authorization: Bearer`, instead of a user.")
                .text(TRUSTSTORE_LOCATION, "Registry trust store", "")
                .width(Width.LONG)
                .onlyIf(SCHEMA_REGISTRY_URL, RegistrySettings::isGiven)
                .low("The certificate authorities to trust for the schema registry: the path of a PEM file, or of a"
                        + " PKCS #12 or JKS store, on the worker. Empty for those that the worker's JVM trusts. It is"
                        + " read when the task starts.")
                .secret(TRUSTSTORE_PASSWORD, "Registry trust store password")
                .onlyIf(TRUSTSTORE_LOCATION, SettingGroup::isSet)
                .low("The password of " + TRUSTSTORE_LOCATION + ", if it is a store.")
                .text(KEYSTORE_LOCATION, "Registry key store", "")
                .width(Width.LONG)
                .onlyIf(SCHEMA_REGISTRY_URL, RegistrySettings::isGiven)
                .low("The sink's certificate and key, for a schema registry that asks its clients for one: the path of"
                        + " a PKCS #12 or JKS store on the worker. It is read when the task starts.")
                .secret(KEYSTORE_PASSWORD, "Registry key store password")
                .onlyIf(KEYSTORE_LOCATION, SettingGroup::isSet)
                .low("The password of " + KEYSTORE_LOCATION + " and of the key in it.");
    }

    private static boolean isGiven(Object urls) {
        return urls instanceof List<?> list && !list.isEmpty();
    }

    static RegistrySettings from(AbstractConfig config) {
        return new RegistrySettings(
                config.getList(SCHEMA_REGISTRY_URL).stream()
                        .map(RegistrySettings::url)
                        .toList(),
                config.getString(USERNAME).trim(),
                config.getPassword(PASSWORD),
                config.getPassword(BEARER_TOKEN),
                config.getString(TRUSTSTORE_LOCATION).trim(),
                config.getPassword(TRUSTSTORE_PASSWORD),
                config.getString(KEYSTORE_LOCATION).trim(),
                config.getPassword(KEYSTORE_PASSWORD));
    }

    private static URI url(String text) {
        URI url = URI.create(text.trim());
        boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!isHttp || url.getHost() == null) {
            throw new IllegalArgumentException("a URL starts with http:// or https:// and a host");
        }
        if (url.getUserInfo() != null || url.getQuery() != null || url.getFragment() != null) {
            throw new IllegalArgumentException(
                    "a URL has only a host, a port and a path; see " + USERNAME + " and " + BEARER_TOKEN);
        }
        return url;
    }

    /** The settings that do not fit together, or name no file. */
    List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        if (urls.isEmpty()) {
            problems.add(new Problem(SCHEMA_REGISTRY_URL, FormatSettings.VALUE_FORMAT + "=avro needs it"));
        }
        if (!username.isEmpty() && !bearerToken.value().isEmpty()) {
            problems.add(new Problem(BEARER_TOKEN, "is used instead of " + USERNAME + "; set one of the two"));
        }
        if (username.isEmpty() != password.value().isEmpty()) {
            problems.add(new Problem(
                    username.isEmpty() ? USERNAME : PASSWORD, "is missing: a user and a password go together"));
        }
        checkFile(TRUSTSTORE_LOCATION, trustStore, problems);
        checkFile(KEYSTORE_LOCATION, keyStore, problems);
        return problems;
    }

    private static void checkFile(String key, String path, List<Problem> problems) {
        try {
            if (!path.isEmpty() && !Files.isReadable(Path.of(path))) {
                problems.add(new Problem(key, "is no file that this worker can read"));
            }
        } catch (InvalidPathException e) {
            problems.add(new Problem(key, "is no path on this worker"));
        }
    }
}
