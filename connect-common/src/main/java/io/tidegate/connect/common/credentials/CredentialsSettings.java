package io.tidegate.connect.common.credentials;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.SettingGroup;
import io.tidegate.connect.common.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * Which provider is asked for credentials, and its settings. Connectors of a worker with equal ones share connections. The
 * text form shows no setting of the provider, because one may be a secret.
 *
 * @param provider its name, or {@link #NONE}
 * @param options the connector's settings that start with {@link #PREFIX}, by their whole keys
 * @param connector its name, for logs of other servers. Settings that differ only in it are equal: the first connector
 *     that connects is named
 */
public record CredentialsSettings(String provider, Map<String, String> options, String connector) {
    /** No provider: the credentials are in the configuration. */
    public static final String NONE = "none";

    public static final String FILE = "file";
    public static final String AWS = "aws";

    public static final String PREFIX = "connection.credentials.";
    public static final String PROVIDER = PREFIX + "provider";
    public static final String FILE_PATH = PREFIX + "file.path";
    public static final String FILE_SCHEME = PREFIX + "file.scheme";
    public static final String AWS_REGION = PREFIX + "aws.region";
    public static final String AWS_SERVICE = PREFIX + "aws.service";
    public static final String AWS_ROLES = PREFIX + "aws.roles";
    public static final String AWS_EXTERNAL_ID = PREFIX + "aws.external.id";

    /** No provider. */
    public static final CredentialsSettings ABSENT = new CredentialsSettings(NONE, Map.of(), "");

    public CredentialsSettings {
        requireNonNull(provider, "provider");
        options = Map.copyOf(options);
        requireNonNull(connector, "connector");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CredentialsSettings that
                && provider.equals(that.provider)
                && options.equals(that.options);
    }

    @Override
    public int hashCode() {
        return Objects.hash(provider, options);
    }

    /** Adds the settings to a group, for a server that asks for a password at each connect. */
    public static SettingGroup defineForPasswords(SettingGroup group) {
        return aws(file(provider(group)));
    }

    /** Adds the settings to a group, for a server that authenticates each request. */
    public static SettingGroup defineForRequests(SettingGroup group) {
        SettingGroup withFile = file(provider(group))
                .oneOf(FILE_SCHEME, "Scheme of the file", AuthenticationScheme.BEARER)
                .low("What the file holds: `bearer`, a token; `api_key`, an API key as Elasticsearch prints it"
                        + " (`encoded`) or `id:key`; `basic`, `user:password`.");
        return aws(withFile)
                .text(AWS_SERVICE, "AWS service", "")
                .low(
                        "The service that requests are signed for: `es` for Amazon OpenSearch Service, `aoss` for"
                                + " OpenSearch Serverless. Empty for what the host's name in `connection.url` says, else `es`.");
    }

    private static SettingGroup provider(SettingGroup group) {
        return group.text(PROVIDER, "Credentials provider", NONE)
                .medium("The source of credentials that may change while the task runs: a password at each connect"
                        + " to PostgreSQL, headers of each request to Elasticsearch. `none`: the configuration."
                        + " `file`: a file that another program writes. `aws`: IAM tokens and signatures; needs the"
                        + " jars of connect-aws in the plugin's folder. Or another provider in that folder, whose"
                        + " settings begin with `" + PREFIX + "`.");
    }

    private static SettingGroup file(SettingGroup group) {
        return group.text(FILE_PATH, "Credentials file", "")
                .low("The file with the secret, on the worker. It is read each time that a secret is needed."
                        + " A line break at its end is ignored.");
    }

    private static SettingGroup aws(SettingGroup group) {
        return group.text(AWS_REGION, "AWS region", "")
                .low("The region of the server. Empty for the one in the host's name in `connection.url`, or else"
                        + " the worker's.")
                .list(AWS_ROLES, "AWS roles")
                .low("ARNs of roles to assume: the first with the worker's credentials, each further one with those"
                        + " of the one before.")
                .text(AWS_EXTERNAL_ID, "AWS external id", "")
                .low("The external id that the last role requires, if any.");
    }

    public static CredentialsSettings from(AbstractConfig config) {
        String provider = config.getString(PROVIDER).trim();
        if (provider.equals(NONE)) {
            return ABSENT;
        }
        Map<String, String> options = new HashMap<>();
        config.originals().forEach((key, value) -> {
            if (key.startsWith(PREFIX) && value != null) {
                options.put(key, String.valueOf(value).trim());
            }
        });
        return new CredentialsSettings(
                provider, options, String.valueOf(config.originals().getOrDefault("name", "")));
    }

    public boolean isNone() {
        return provider.equals(NONE);
    }

    /** A setting of the provider; empty if it is not set. */
    public Optional<String> option(String key) {
        return Optional.ofNullable(options.get(key)).filter(text -> !text.isEmpty());
    }

    /** A setting of the provider that is a list. */
    public List<String> options(String key) {
        return option(key).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::trim)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    /** The settings that are missing, do not fit together, or have no effect. */
    public static List<Problem> problems(AbstractConfig config) {
        CredentialsSettings settings = from(config);
        return settings.isNone()
                ? Problem.of(Problem.when(
                        !config.getString(FILE_PATH).isBlank(),
                        FILE_PATH,
                        "has no effect with " + PROVIDER + "=none: set that to file, or remove this"))
                : settings.problems();
    }

    /** What is wrong with the settings of the provider; nothing without one. */
    public List<Problem> problems() {
        if (isNone()) {
            return List.of();
        }
        return CredentialsProviders.named(provider)
                .map(providers -> providers.problems(this))
                .orElseGet(() -> List.of(new Problem(PROVIDER, missing())));
    }

    private String missing() {
        return provider.equals(AWS)
                ? "the plugin's folder has no connect-aws-VERSION.jar; unpack tidegate-connect-aws-VERSION.zip there"
                : "the plugin's folder has no provider " + provider + "; use none, file or aws";
    }

    /**
     * What clients ask; empty if there is no provider.
     *
     * @throws ConfigException when the settings cannot be used
     */
    public Optional<CredentialsSource> open(Clock clock) {
        if (isNone()) {
            return Optional.empty();
        }
        Problem.refuse(problems());
        CredentialsProvider opened =
                CredentialsProviders.named(provider).orElseThrow().open(this, clock);
        return Optional.of(new CredentialsSource(provider, opened));
    }

    @Override
    public String toString() {
        return isNone() ? "no provider of credentials" : "credentials of the provider " + provider;
    }
}
