package io.tidegate.connect.tools.cluster;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.connect.runtime.ConnectorConfig;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.runtime.WorkerConfigTransformer;
import org.apache.kafka.connect.runtime.isolation.Plugins;

/** A Connect worker that runs nothing: its plugins, its configuration providers, and the settings of its clients. */
public final class Worker implements AutoCloseable {
    /** Without a worker's file, Kafka's own configuration providers have their usual names. */
    static final Map<String, String> WITHOUT_FILE = Map.of(
            "config.providers", "file,directory,env",
            "config.providers.file.class", "org.apache.kafka.common.config.provider.FileConfigProvider",
            "config.providers.directory.class", "org.apache.kafka.common.config.provider.DirectoryConfigProvider",
            "config.providers.env.class", "org.apache.kafka.common.config.provider.EnvVarConfigProvider");

    /** What a worker requires. A connector may have its own converters, and records may come from a file. */
    private static final Map<String, String> PLACEHOLDERS = Map.of(
            WorkerConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:9092",
            WorkerConfig.KEY_CONVERTER_CLASS_CONFIG, "org.apache.kafka.connect.converters.ByteArrayConverter",
            WorkerConfig.VALUE_CONVERTER_CLASS_CONFIG, "org.apache.kafka.connect.converters.ByteArrayConverter");

    /** What would start something in a real worker. */
    private static final List<String> UNWANTED = List.of("metric.reporters", "rest.extension.classes");

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}:]+):[^}]*}");
    private static final String API_TIMEOUT_MS = "15000";

    private final Map<String, String> given;
    private final Map<String, String> clientProps;
    private final Plugins plugins;
    private final WorkerConfig config;
    private final WorkerConfigTransformer providers;

    private Worker(
            Map<String, String> given,
            Map<String, String> clientProps,
            Plugins plugins,
            WorkerConfig config,
            WorkerConfigTransformer providers) {
        this.given = Map.copyOf(given);
        this.clientProps = Map.copyOf(clientProps);
        this.plugins = requireNonNull(plugins, "plugins");
        this.config = requireNonNull(config, "config");
        this.providers = requireNonNull(providers, "providers");
    }

    /**
     * Loads the plugins.
     *
     * @param props the worker's properties
     * @param clientProps properties that Kafka's clients get instead
     * @throws ToolException if a worker could not start with them
     */
    public static Worker of(Map<String, String> props, Map<String, String> clientProps) throws ToolException {
        Map<String, String> complete = new HashMap<>(PLACEHOLDERS);
        complete.putAll(props);
        complete.keySet().removeAll(UNWANTED);
        if (!props.containsKey(WorkerConfig.PLUGIN_PATH_CONFIG)) {
            // The class path has only plugins that say so in a service file, and a scan of it takes seconds.
            complete.put(WorkerConfig.PLUGIN_DISCOVERY_CONFIG, "service_load");
        }
        try {
            Plugins plugins = new Plugins(complete);
            plugins.compareAndSwapWithDelegatingLoader();
            WorkerConfig config = new Settings(complete);
            return new Worker(props, clientProps, plugins, config, providers(plugins, config));
        } catch (KafkaException e) {
            throw new ToolException("the worker's properties cannot be used: " + e.getMessage(), e);
        }
    }

    private static WorkerConfigTransformer providers(Plugins plugins, WorkerConfig config) {
        Map<String, ConfigProvider> providers = new HashMap<>();
        for (String name : config.getList(WorkerConfig.CONFIG_PROVIDERS_CONFIG)) {
            providers.put(
                    name,
                    plugins.newConfigProvider(
                            config,
                            WorkerConfig.CONFIG_PROVIDERS_CONFIG + "." + name,
                            Plugins.ClassLoaderUsage.PLUGINS));
        }
        return new WorkerConfigTransformer(null, providers);
    }

    public Plugins plugins() {
        return plugins;
    }

    /** The worker's settings, for Connect's own classes. */
    public WorkerConfig config() {
        return config;
    }

    /** Whether the user's properties have this one. */
    public boolean has(String key) {
        return given.containsKey(key);
    }

    /** Whether the user has set this property for Kafka's clients. */
    public boolean hasOfClients(String key) {
        return clientProps.containsKey(key);
    }

    /**
     * Replaces references to configuration providers by their values, as the worker does before it starts a task.
     *
     * @throws ToolException if a provider has no such value, or if there is no such provider
     */
    public Map<String, String> resolve(Map<String, String> props) throws ToolException {
        requireProviders(props);
        try {
            Map<String, String> resolved = new HashMap<>(providers.transform(props));
            requireValues(props, resolved);
            return resolved;
        } catch (KafkaException e) {
            throw new ToolException(
                    unresolved(props).map(key -> key + " refers").orElse("a setting of the connector refers")
                            + " to a value that its configuration provider cannot read here: " + e.getMessage(),
                    e);
        }
    }

    /** The first setting that cannot be resolved alone. */
    private Optional<String> unresolved(Map<String, String> props) {
        return new TreeMap<>(props)
                .entrySet().stream()
                        .filter(entry -> {
                            try {
                                return providers
                                        .transform(Map.of(entry.getKey(), entry.getValue()))
                                        .isEmpty();
                            } catch (KafkaException e) {
                                return true;
                            }
                        })
                        .map(Map.Entry::getKey)
                        .findFirst();
    }

    private void requireProviders(Map<String, String> props) throws ToolException {
        List<String> names = config.getList(WorkerConfig.CONFIG_PROVIDERS_CONFIG);
        for (Map.Entry<String, String> entry : props.entrySet()) {
            Matcher reference = REFERENCE.matcher(entry.getValue());
            while (reference.find()) {
                if (!names.contains(reference.group(1)) && !Template.takesArgument(reference.group(1))) {
                    throw new ToolException(entry.getKey() + " refers to the configuration provider '"
                            + reference.group(1) + "', which is not known here: give --worker a file with the worker's"
                            + " config.providers, and --plugin-path or --lib the folder with the provider's jar");
                }
            }
        }
    }

    /** A provider leaves a reference as it is when it has no value for it. */
    private static void requireValues(Map<String, String> props, Map<String, String> resolved) throws ToolException {
        for (Map.Entry<String, String> entry : props.entrySet()) {
            Matcher reference = REFERENCE.matcher(entry.getValue());
            while (reference.find()) {
                if (!Template.takesArgument(reference.group(1))
                        && resolved.get(entry.getKey()).contains(reference.group())) {
                    throw new ToolException(entry.getKey() + " refers to " + reference.group()
                            + ", and the configuration provider '" + reference.group(1) + "' has no value for it here"
                            + (reference.group(1).equals("env")
                                    ? ": set the environment variable, as the worker has it"
                                    : ": make the file or secret readable here, as on the worker"));
                }
            }
        }
    }

    /**
     * The settings of a consumer for these settings of a connector: those that the task's own consumer gets, but without
     * a group. A consumer never creates a topic and reads committed records, unless the settings say otherwise.
     *
     * @throws ToolException if Kafka's address is missing
     */
    public Map<String, Object> consumer(Map<String, String> connector) throws ToolException {
        Map<String, Object> props = new HashMap<>();
        props.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        props.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        putAddress(props);
        props.putAll(config.originalsWithPrefix("consumer."));
        props.putAll(withPrefix(connector, ConnectorConfig.CONNECTOR_CLIENT_CONSUMER_OVERRIDES_PREFIX));
        props.putAll(clientProps);
        props.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        props.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        props.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        props.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        props.keySet()
                .removeAll(List.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                        ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG));
        return props;
    }

    /**
     * The settings of an admin client for these settings of a connector.
     *
     * @throws ToolException if Kafka's address is missing
     */
    public Map<String, Object> admin(Map<String, String> connector) throws ToolException {
        Map<String, Object> props = new HashMap<>();
        config.originals().forEach((key, value) -> {
            if (AdminClientConfig.configNames().contains(key)) {
                props.put(key, value);
            }
        });
        props.put("request.timeout.ms", API_TIMEOUT_MS); // not more than all attempts together
        putAddress(props);
        props.putAll(config.originalsWithPrefix("admin."));
        props.putAll(withPrefix(connector, ConnectorConfig.CONNECTOR_CLIENT_ADMIN_OVERRIDES_PREFIX));
        props.putAll(clientProps);
        props.remove("metric.reporters");
        return props;
    }

    private void putAddress(Map<String, Object> props) throws ToolException {
        if (!has(WorkerConfig.BOOTSTRAP_SERVERS_CONFIG) && !clientProps.containsKey("bootstrap.servers")) {
            throw new ToolException(
                    "Kafka's address is missing: use --worker FILE with bootstrap.servers, or --bootstrap-servers");
        }
        props.put("bootstrap.servers", config.bootstrapServers());
        props.put("client.id", "tidegate");
        props.put("default.api.timeout.ms", API_TIMEOUT_MS);
    }

    private static Map<String, String> withPrefix(Map<String, String> props, String prefix) {
        Map<String, String> found = new HashMap<>();
        props.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), value);
            }
        });
        return found;
    }

    @Override
    public void close() {
        providers.close();
    }

    /** The settings that standalone and distributed workers share. */
    private static final class Settings extends WorkerConfig {
        Settings(Map<String, String> props) {
            super(baseConfigDef(), props);
        }
    }
}
