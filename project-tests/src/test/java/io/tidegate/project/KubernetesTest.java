package io.tidegate.project;

import static io.tidegate.project.ProjectFilesTest.PROJECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.strimzi.api.kafka.model.connect.KafkaConnect;
import io.strimzi.api.kafka.model.connector.KafkaConnector;
import io.strimzi.api.kafka.model.user.KafkaUser;
import io.tidegate.connect.elasticsearch.ElasticsearchBulkSinkConnector;
import io.tidegate.connect.jsonb.JsonbSinkConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The resources in deploy/kubernetes: types without an unknown field, settings that the sinks accept, no copies that differ. */
final class KubernetesTest {
    private static final Path FOLDER = PROJECT.resolve("deploy/kubernetes");
    private static final Pattern RECIPE = Pattern.compile("(?ms)^## ([^\\n]+)\\n(?:(?!^## ).)*?^```json\\n(.*?)^```");

    private static final Map<String, Class<?>> TYPES = Map.of(
            "KafkaConnect", KafkaConnect.class,
            "KafkaConnector", KafkaConnector.class,
            "KafkaUser", KafkaUser.class,
            "Role", Role.class,
            "RoleBinding", RoleBinding.class,
            "ConfigMap", ConfigMap.class,
            "PodMonitor", PodMonitor.class,
            "PrometheusRule", PrometheusRule.class);

    private static final Map<String, ConfigDef> SINKS = Map.of(
            JsonbSinkConnector.class.getName(), new JsonbSinkConnector().config(),
            ElasticsearchBulkSinkConnector.class.getName(), new ElasticsearchBulkSinkConnector().config());

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .annotationIntrospector(new Strict())
            .build();

    /** Ignores the methods by which these types keep the fields that they do not know. */
    private static final class Strict extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return Boolean.FALSE;
        }
    }

    static Stream<JsonNode> resources() throws IOException {
        List<JsonNode> resources = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".yaml"))
                    .sorted()
                    .toList()) {
                resources.addAll(read(file));
            }
        }
        assertThat(resources).hasSizeGreaterThan(15);
        return resources.stream();
    }

    private static List<JsonNode> read(Path file) throws IOException {
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(file.toFile())) {
            return documents.readAll();
        }
    }

    private static List<JsonNode> read(String file) throws IOException {
        return read(FOLDER.resolve(file));
    }

    private static Stream<JsonNode> connectors() throws IOException {
        return resources().filter(each -> each.path("kind").asText().equals("KafkaConnector"));
    }

    @ParameterizedTest
    @MethodSource("resources")
    void itsTypeKnowsEveryField(JsonNode resource) throws IOException {
        Class<?> type = TYPES.get(resource.path("kind").asText());

        assertThat(type).as(resource.toString()).isNotNull();
        assertThat(YAML.treeToValue(resource, type)).isNotNull();
    }

    @Test
    void anUnknownFieldIsAnError() throws IOException {
        ObjectNode connector = connectors().findFirst().orElseThrow().deepCopy();
        ((ObjectNode) connector.path("spec")).put("taskMax", 1);

        assertThat(catchThrowable(() -> YAML.treeToValue(connector, KafkaConnector.class)))
                .hasMessageContaining("taskMax");
    }

    @ParameterizedTest
    @MethodSource("connectors")
    void theSinkAcceptsEverySetting(JsonNode connector) {
        String sink = connector.path("spec").path("class").asText();
        Map<String, String> config = config(connector);
        config.put("connector.class", sink);
        config.put("name", connector.path("metadata").path("name").asText());

        List<ConfigValue> values = SINKS.get(sink).validate(config);
        assertThat(values)
                .allSatisfy(value ->
                        assertThat(value.errorMessages()).as(value.name()).isEmpty());
        Set<String> known = new HashSet<>(SINKS.get(sink).names());
        known.addAll(List.of(
                "connector.class",
                "name",
                "topics",
                "topics.regex",
                "key.converter",
                "value.converter",
                "header.converter"));
        assertThat(config.keySet())
                .allMatch(key -> known.contains(key) || key.startsWith("errors."), "a known setting");
    }

    /** Only references to the secrets that access.yaml lets the workers read. */
    @ParameterizedTest
    @MethodSource("connectors")
    void noSecretIsWrittenDown(JsonNode connector) throws IOException {
        List<String> allowed = new ArrayList<>();
        read("access.yaml").get(0).at("/rules/0/resourceNames").forEach(name -> allowed.add(name.asText()));
        Pattern reference = Pattern.compile("\\$\\{secrets:pipelines/(" + String.join("|", allowed) + "):[a-z-]+}");

        Map<String, String> config = config(connector);
        assertThat(config)
                .containsAnyOf(
                        Map.entry("connection.password", config.getOrDefault("connection.password", "")),
                        Map.entry("connection.api.key", config.getOrDefault("connection.api.key", "")));
        config.forEach((key, value) -> {
            if (key.endsWith("password") || key.endsWith("api.key")) {
                assertThat(value).matches(reference);
            }
        });
    }

    /** A recipe's own settings, without the connection and the files that it names. */
    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "elasticsearch"})
    void everyRecipeIsAConnector(String store) throws IOException {
        List<JsonNode> connectors = read("connectors-" + store + ".yaml");
        Matcher recipes = RECIPE.matcher(Files.readString(PROJECT.resolve("docs/how-to/recipes-" + store + ".md")));
        String described = Files.readString(FOLDER.resolve("connectors-" + store + ".yaml"));
        int seen = 0;
        while (recipes.find()) {
            seen++;
            assertThat(described).contains("# " + recipes.group(1));
            Map<String, String> settings = new HashMap<>();
            new ObjectMapper()
                    .readTree(recipes.group(2))
                    .properties()
                    .forEach(setting ->
                            settings.put(setting.getKey(), setting.getValue().asText()));
            settings.keySet()
                    .removeIf(
                            key -> key.matches(
                                    "(connection|ssl|proxy)\\..*|cloud.id|http.headers|topics|connector.class|index.*(file|template.name)"));
            assertThat(connectors).as(recipes.group(1)).anySatisfy(connector -> assertThat(config(connector))
                    .containsAllEntriesOf(settings));
        }
        assertThat(seen).isGreaterThan(2);
    }

    /** They differ in how the plugin gets there. */
    @Test
    void theWorkersAreTheSame() throws IOException {
        Set<JsonNode> without = new HashSet<>();
        for (String way : List.of("maven", "image-volumes", "image")) {
            JsonNode workers = read("connect-with-" + way + ".yaml").get(0);
            ObjectNode spec = (ObjectNode) workers.path("spec");
            assertThat(Stream.of("build", "plugins", "image").filter(spec::has)).hasSize(1);
            without.add(spec.without(List.of("build", "plugins", "image")));
        }
        assertThat(without).hasSize(1);
    }

    @Test
    void rulesAndAlertsAreThoseOfTheStacks() throws IOException {
        List<JsonNode> monitoring = read("monitoring.yaml");
        Path originals = PROJECT.resolve("docker/monitoring");

        assertThat(monitoring.get(0).at("/data").path("jmx-exporter.yml").asText())
                .isEqualTo(Files.readString(originals.resolve("jmx-exporter.yml")));
        JsonNode groups = monitoring.get(2).at("/spec/groups");
        assertThat(groups.path(0))
                .isEqualTo(read(originals.resolve("alerts.yml")).get(0).at("/groups/0"));
        assertThat(groups.at("/1/rules/0/expr").asText())
                .isEqualTo("count(up{job=\"connect\"}) < "
                        + read("connect-with-image.yaml").get(0).at("/spec/replicas"));
    }

    /** A newline at the end of a password's file would be part of the secret, and the resources name no namespace. */
    @Test
    void theStepsMakeSecretsWithoutANewlineInTheNamespace() throws IOException {
        String page = Files.readString(PROJECT.resolve("docs/how-to/kubernetes.md"));

        assertThat(page).contains("--from-file=password").contains("`printf %s`");
        assertThat(page).contains("`kubectl --namespace pipelines apply --filename access.yaml`");
        assertThat(page.lines().filter(line -> line.contains("kubectl ")))
                .allMatch(line -> line.contains("kubectl --namespace pipelines "));
    }

    private static Map<String, String> config(JsonNode connector) {
        Map<String, String> config = new HashMap<>();
        connector
                .at("/spec/config")
                .properties()
                .forEach(setting ->
                        config.put(setting.getKey(), setting.getValue().asText()));
        return config;
    }
}
