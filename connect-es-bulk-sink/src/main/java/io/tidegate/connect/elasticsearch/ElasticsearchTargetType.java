package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.frame.FramingSettings;
import io.tidegate.connect.common.frame.Unframing;
import io.tidegate.connect.common.settings.Aliases;
import io.tidegate.connect.common.settings.KnownTopics;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.settings.ValidationSettings;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.task.Version;
import io.tidegate.connect.elasticsearch.check.ElasticsearchCheck;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.tls.Tls;
import io.tidegate.connect.elasticsearch.settings.AccessSettings;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.ElasticsearchErrorCodes;
import io.tidegate.connect.elasticsearch.settings.FailurePolicies;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import io.tidegate.connect.elasticsearch.settings.TlsSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Elasticsearch as a kind of target: its settings, and the checks that they fit together. */
public final class ElasticsearchTargetType implements TargetType {
    /** The size beyond which the server gets hardly any faster: see the measurements in the project's documents. */
    static final LaneSettings.Defaults DEFAULTS = new LaneSettings.Defaults(2_000, 5L << 20, 5);

    @Override
    public String version() {
        return Version.of(ElasticsearchBulkSinkConnector.class);
    }

    @Override
    public ConfigDef config() {
        ConfigDef def = new ConfigDef();
        ConnectionSettings.define(def);
        AccessSettings.define(def);
        TlsSettings.define(def);
        IndexSettings.define(def);
        DocumentSettings.define(def);
        EnvelopeSettings.define(def);
        FailurePolicies.define(def);
        ElasticsearchErrorCodes.define(def);
        LaneSettings.define(def, DEFAULTS);
        RetrySettings.define(def);
        RedriveSettings.define(def);
        ValidationSettings.define(def);
        return TaskSettings.define(def);
    }

    @Override
    public Aliases aliases() {
        return OtherSinks.aliases();
    }

    @Override
    public List<String> warnings(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(config(), aliases().resolve(props), false);
        List<String> warnings = new ArrayList<>();
        if (ConnectionSettings.problems(config).isEmpty()) {
            warnings.addAll(ConnectionSettings.from(config).warnings());
        }
        warnings.addAll(EnvelopeSettings.from(config).warnings(props));
        return warnings;
    }

    @Override
    public List<Problem> validate(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(config(), props, false);
        List<Problem> problems = new ArrayList<>(ConnectionSettings.problems(config));
        checkCredentials(config, problems);
        EnvelopeSettings envelope = EnvelopeSettings.from(config);
        problems.addAll(
                DocumentSettings.from(config).problems(LaneSettings.from(config).ordering(), envelope));
        envelope.problem(props).ifPresent(problems::add);
        FormatSettings format = FormatSettings.from(config);
        problems.addAll(format.problems());
        FramingSettings.from(config).problem(format).ifPresent(problems::add);
        RedriveSettings.from(config).problem(props).ifPresent(problems::add);
        if (!checkIndexNames(config, problems)) {
            return problems;
        }
        problems.addAll(IndexSettings.from(config).problems(DocumentSettings.from(config)));
        if (problems.isEmpty()) {
            problems.addAll(ConnectionSettings.from(config)
                    .problems(IndexSettings.from(config), DocumentSettings.from(config)));
        }
        checkTls(TlsSettings.from(config), problems);
        checkFile(
                IndexSettings.INDEX_DEFINITION_FILE,
                () -> ElasticsearchTarget.definitionOf(IndexSettings.from(config)),
                problems);
        checkFile(
                IndexSettings.INDEX_TEMPLATE_FILE,
                () -> ElasticsearchTarget.templateOf(IndexSettings.from(config)),
                problems);
        return problems;
    }

    private static void checkCredentials(AbstractConfig config, List<Problem> problems) {
        boolean username =
                !config.getString(ConnectionSettings.CONNECTION_USERNAME).isEmpty();
        boolean password = !config.getPassword(ConnectionSettings.CONNECTION_PASSWORD)
                .value()
                .isEmpty();
        boolean apiKey = !config.getPassword(ConnectionSettings.CONNECTION_API_KEY)
                .value()
                .isEmpty();
        boolean token = !config.getPassword(ConnectionSettings.CONNECTION_BEARER_TOKEN)
                .value()
                .isEmpty();
        if (!CredentialsSettings.from(config).isNone() && (token || apiKey || username)) {
            problems.add(new Problem(
                    CredentialsSettings.PROVIDER, "is used instead of a user, an API key or a token; set one of them"));
        }
        if (token && (apiKey || username)) {
            problems.add(new Problem(
                    ConnectionSettings.CONNECTION_BEARER_TOKEN,
                    "is used instead of a user or an API key; set one of them"));
        }
        if (apiKey && username) {
            problems.add(new Problem(
                    ConnectionSettings.CONNECTION_API_KEY,
                    "is used instead of " + ConnectionSettings.CONNECTION_USERNAME + "; set one of the two"));
        }
        if (username != password) {
            problems.add(new Problem(
                    username ? ConnectionSettings.CONNECTION_PASSWORD : ConnectionSettings.CONNECTION_USERNAME,
                    "is missing: a user name and a password go together"));
        }
    }

    /** Checks whether the templates and the regular expression fit together. */
    private static boolean checkIndexNames(AbstractConfig config, List<Problem> problems) {
        try {
            IndexSettings.from(config);
            return true;
        } catch (IllegalArgumentException e) {
            problems.add(
                    new Problem(IndexSettings.INDEX_NAME, e.getMessage() + "; see " + IndexSettings.TOPIC_INDEX_REGEX));
            return false;
        }
    }

    private static void checkTls(TlsSettings tls, List<Problem> problems) {
        List<Problem> contradictions = tls.problems();
        problems.addAll(contradictions);
        if (!contradictions.isEmpty()) {
            return;
        }
        checkFile(
                tls.trustStore().isSet() ? TlsSettings.SSL_TRUSTSTORE_LOCATION : TlsSettings.SSL_CA,
                () -> Tls.checkTrusted(tls),
                problems);
        checkFile(
                tls.keyStore().isSet() ? TlsSettings.SSL_KEYSTORE_LOCATION : TlsSettings.SSL_CERTIFICATE,
                () -> Tls.checkClientKeys(tls),
                problems);
    }

    private static void checkFile(String key, Runnable reading, List<Problem> problems) {
        try {
            reading.run();
        } catch (ConfigException e) {
            problems.add(new Problem(key, e.getMessage()));
        }
    }

    @Override
    public Optional<ServerCheck> serverCheck(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(config(), props, false);
        return Optional.of(new ElasticsearchCheck(
                ConnectionSettings.from(config),
                IndexSettings.from(config),
                DocumentSettings.from(config),
                KnownTopics.of(props)));
    }

    @Override
    public boolean isAccessRefused(WriteException failure) {
        return failure.getCause() instanceof RequestFailure request && request.isAccessRefused();
    }

    @Override
    public Target open(Map<String, String> props) {
        List<Problem> problems = validate(props);
        if (!problems.isEmpty()) {
            Problem first = problems.get(0);
            throw new ConfigException(first.key() + ": " + first.message());
        }
        AbstractConfig config = new AbstractConfig(config(), props, false);
        DocumentSettings documents = DocumentSettings.from(config);
        return new ElasticsearchTarget(
                ConnectionSettings.from(config),
                IndexSettings.from(config),
                documents,
                new Unframing(
                        FramingSettings.from(config),
                        FormatSettings.from(config).decoder(documents.defaults())),
                EnvelopeSettings.from(config),
                FailurePolicies.from(config, IndexSettings.from(config)),
                ElasticsearchErrorCodes.from(config),
                AccessSettings.from(config),
                RedriveSettings.from(config),
                LaneSettings.from(config));
    }
}
