package io.tidegate.connect.avro;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.common.format.RegistrySettings;
import io.tidegate.connect.common.format.SchemaId;
import io.tidegate.connect.common.pool.SharedResource;
import io.tidegate.connect.common.tls.Tls;
import io.tidegate.connect.common.tls.TlsSettings;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a schema registry for schemas. Sources: Confluent's "Schema Registry API Reference" ({@code GET /schemas/ids/ID},
 * {@code GET /subjects/SUBJECT/versions/VERSION}), Apicurio's REST API ({@code GET /ids/globalIds/ID}, {@code GET
 * /ids/contentIds/ID}, {@code GET /groups/GROUP/artifacts/ARTIFACT/versions/VERSION}, the {@code /references} of each).
 * It shares its connections with the clients of the same registry in this worker. One thread uses it.
 */
final class RegistryClient implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RegistryClient.class);

    /** The worker's connections to registries. */
    static final SharedResource<Way, Connections> CLIENTS = new SharedResource<>("schema registry client");

    /** For a connection, and for an answer. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int MAX_REFERENCES = 1_000;
    private static final int MAX_REASON = 200; // characters
    private static final String APICURIO_2 = "/apis/registry/v2";
    private static final String ACCEPT = "application/vnd.schemaregistry.v1+json, application/json, */*";
    private static final Set<Integer> NO_SCHEMA = Set.of(40401, 40402, 40403); // subject, version, schema
    private static final Set<String> NOT_FOUND = Set.of(
            "ArtifactNotFoundException",
            "ContentNotFoundException",
            "SchemaNotFoundException",
            "VersionNotFoundException"); // Apicurio's, and not that of a tenant
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final List<URI> urls;
    private final boolean areShortIdsGlobal; // at Apicurio's own API
    private final Optional<String> authorization;
    private final Duration patience;
    private final Way way;
    private Optional<SharedResource.Lease<Connections>> connections = Optional.empty(); // before the first question
    private URI preferred; // it answered last; the first at the beginning

    /** What must be equal for clients to share connections. */
    record Way(List<URI> urls, TlsSettings tls, Duration patience) {
        /** For log lines. */
        @Override
        public String toString() {
            return textOf(urls);
        }
    }

    /** The connections and threads of a client. */
    record Connections(HttpClient http) implements AutoCloseable {
        private static Connections open(Way way) {
            return new Connections(HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(way.patience())
                    .sslContext(Tls.of(way.tls()).context())
                    .build());
        }

        @Override
        public void close() {
            // Java 17 ends them when nothing refers to the client any more.
        }
    }

    RegistryClient(RegistrySettings settings, Duration patience) {
        this.urls = settings.urls();
        this.preferred = urls.get(0);
        this.areShortIdsGlobal = settings.usedId() == RegistrySettings.UsedId.GLOBAL;
        this.authorization = settings.credentials().authorization();
        this.patience = requireNonNull(patience, "patience");
        this.way = new Way(urls, settings.tls(), patience);
    }

    /**
     * The schema of an id, or empty when all URLs say that there is none. The URL that answered last is asked first: one
     * that is down costs its time-out once.
     *
     * @throws RegistryException when no URL gives it, and not all say that there is none: one of them may be late, or
     *     wrong
     * @throws UnfitException when it is no schema of Avro
     */
    Optional<Schema> schema(SchemaId id) throws RegistryException {
        StringJoiner failures = new StringJoiner("; ");
        boolean isAccessRefused = false;
        for (URI url : urlsFor(id)) {
            try {
                Optional<Schema> schema =
                        RegistrySettings.isApicurios(url) ? ofApicurio(url, id) : ofConfluent(url, id);
                preferred = url;
                if (schema.isPresent()) {
                    return schema;
                }
            } catch (RegistryException e) {
                log.debug("{} gives no {}", url, id, e);
                failures.add(url + ": " + e.getMessage());
                isAccessRefused |= e.isAccessRefused();
            } catch (UnfitException e) {
                preferred = url;
                throw e;
            }
        }
        if (failures.length() > 0) {
            throw new RegistryException(failures.toString(), isAccessRefused);
        }
        return Optional.empty();
    }

    /** Confluent's API has no global ids. Without another URL, the question for one only gives the reason. */
    private List<URI> urlsFor(SchemaId id) {
        boolean isGlobal = id.kind() == SchemaId.Kind.GLOBAL;
        List<URI> able = isGlobal && urls.stream().anyMatch(RegistrySettings::isApicurios)
                ? urls.stream().filter(RegistrySettings::isApicurios).toList()
                : urls;
        return able.stream()
                .sorted(Comparator.comparing(url -> !url.equals(preferred)))
                .toList();
    }

    /**
     * The text of the schema is the whole answer, for a global id with the types that it names. Versions 2 and 3 differ in
     * how to ask for those. For a content id neither gives them, so they are read if the text does not suffice.
     */
    private Optional<Schema> ofApicurio(URI url, SchemaId id) throws RegistryException {
        boolean isGlobal = id.kind() == SchemaId.Kind.GLOBAL || (id.kind() == SchemaId.Kind.SHORT && areShortIdsGlobal);
        String path = "/ids/" + (isGlobal ? "globalIds/" : "contentIds/") + id.id();
        Optional<String> text = get(url, path + "?dereference=true&references=DEREFERENCE");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(parsed(new Schema.Parser(), text.get()));
        } catch (UnfitException e) {
            JsonNode references = referencesOfApicurio(url, path);
            if (references.isEmpty()) {
                throw e;
            }
            Schema.Parser parser = new Schema.Parser();
            readReferencesOfApicurio(url, references, parser, new HashSet<>());
            return Optional.of(parsed(parser, text.get()));
        }
    }

    /** None if there is no such path: it is younger than version 2. */
    private JsonNode referencesOfApicurio(URI url, String path) throws RegistryException {
        HttpResponse<String> answer = answer(request(url, path + "/references"));
        return answer.statusCode() == 404
                ? MAPPER.createArrayNode()
                : tree(bodyOf(answer).orElse("[]"));
    }

    /** As {@link #readReferences}. */
    private void readReferencesOfApicurio(URI url, JsonNode references, Schema.Parser parser, Set<String> known)
            throws RegistryException {
        for (JsonNode reference : references) {
            String path = "/groups/" + encoded(reference.path("groupId").asText("default")) + "/artifacts/"
                    + encoded(reference.path("artifactId").asText()) + "/versions/"
                    + encoded(reference.path("version").asText());
            if (isNew(reference, path, known)) {
                String text = referred(url, url.getPath().contains(APICURIO_2) ? path : path + "/content");
                readReferencesOfApicurio(url, referencesOfApicurio(url, path), parser, known);
                parsed(parser, text);
            }
        }
    }

    private Optional<Schema> ofConfluent(URI url, SchemaId id) throws RegistryException {
        if (id.kind() == SchemaId.Kind.GLOBAL) {
            throw new UnfitException("it is a global id of Apicurio; set " + RegistrySettings.SCHEMA_REGISTRY_URL
                    + " to Apicurio's own API, such as http://registry:8080/apis/registry/v2");
        }
        Optional<String> answer = get(url, "/schemas/ids/" + id.id());
        return answer.isPresent() ? Optional.of(read(url, answer.get())) : Optional.empty();
    }

    private Schema read(URI url, String answer) throws RegistryException {
        JsonNode schema = tree(answer);
        String type = schema.path("schemaType").asText("AVRO");
        if (!type.equals("AVRO")) {
            throw new UnfitException("it is a schema of " + type);
        }
        Schema.Parser parser = new Schema.Parser();
        readReferences(url, schema, parser, new HashSet<>());
        return parsed(parser, textOf(schema));
    }

    /**
     * The types of other subjects that a schema names, and first those that they name. A version that was deleted is read
     * all the same, and of two versions with one name the first counts, as Confluent's converter does it.
     */
    private void readReferences(URI url, JsonNode schema, Schema.Parser parser, Set<String> known)
            throws RegistryException {
        for (JsonNode reference : schema.path("references")) {
            String path = "/subjects/" + encoded(reference.path("subject").asText()) + "/versions/"
                    + reference.path("version").asInt() + "?deleted=true";
            if (isNew(reference, path, known)) {
                JsonNode referred = tree(referred(url, path));
                readReferences(url, referred, parser, known);
                parsed(parser, textOf(referred));
            }
        }
    }

    private static boolean isNew(JsonNode reference, String path, Set<String> known) {
        boolean isNew = known.add(reference.path("name").asText(path));
        if (known.size() > MAX_REFERENCES) {
            throw new UnfitException("it refers to more than " + MAX_REFERENCES + " others");
        }
        return isNew;
    }

    private String referred(URI url, String path) throws RegistryException {
        return get(url, path).orElseThrow(() -> new UnfitException("it refers to " + path + ", which is missing"));
    }

    private static String encoded(String step) {
        return URLEncoder.encode(step, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static JsonNode tree(String answer) throws RegistryException {
        try {
            return MAPPER.readTree(answer);
        } catch (JsonProcessingException e) {
            throw new RegistryException("its answer is not JSON; is the URL right?", e);
        }
    }

    private static String textOf(JsonNode schema) throws RegistryException {
        if (!schema.path("schema").isTextual()) {
            throw new RegistryException("its answer has no schema; is the URL right?");
        }
        return schema.path("schema").asText();
    }

    private static Schema parsed(Schema.Parser parser, String text) {
        try {
            return parser.setValidateDefaults(false).parse(text);
        } catch (AvroRuntimeException e) {
            throw new UnfitException("it is no schema of Avro that can be read: " + shortened(e.getMessage()));
        }
    }

    /** The parser's reason may quote all of the schema. */
    private static String shortened(String reason) {
        String line = String.valueOf(reason).lines().findFirst().orElse("");
        return line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON) + "...";
    }

    /** The body of an answer; empty when the registry says that it does not have it. */
    private Optional<String> get(URI url, String path) throws RegistryException {
        return bodyOf(answer(request(url, path)));
    }

    private static Optional<String> bodyOf(HttpResponse<String> answer) throws RegistryException {
        int status = answer.statusCode();
        if (status == 200) {
            return Optional.of(checked(answer));
        }
        if (status == 404 && saysNoSchema(answer.body())) {
            return Optional.empty();
        }
        boolean isAccessRefused = status == 401 || status == 403;
        String advice = isAccessRefused
                ? "; see " + RegistrySettings.USERNAME + " and " + RegistrySettings.BEARER_TOKEN
                : status == 404 ? ", but not for want of a schema; see " + RegistrySettings.SCHEMA_REGISTRY_URL : "";
        throw new RegistryException("status " + status + advice, isAccessRefused);
    }

    /** A proxy or a page to log in also answers 200. */
    private static String checked(HttpResponse<String> answer) throws RegistryException {
        boolean isPage = answer.headers()
                .firstValue("Content-Type")
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("text/html"))
                .isPresent();
        if (isPage || answer.body().isBlank()) {
            throw new RegistryException("its answer is no schema; is the URL right?");
        }
        return answer.body();
    }

    private HttpRequest request(URI url, String path) {
        String base = url.toString();
        URI uri = URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(patience).header("Accept", ACCEPT);
        authorization.ifPresent(credentials -> request.header("Authorization", credentials));
        return request.build();
    }

    private HttpResponse<String> answer(HttpRequest request) throws RegistryException {
        // The time-out of a request ends with the headers of its answer (JDK-8208693).
        CompletableFuture<HttpResponse<String>> answer =
                http().sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            return answer.get(patience.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new RegistryException("no answer: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new RegistryException("no whole answer within " + 2 * patience.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryException("interrupted", e);
        } finally {
            boolean unused = answer.cancel(true);
        }
    }

    /** A proxy or a wrong path also answers 404; a record must not be refused for that. */
    private static boolean saysNoSchema(String body) {
        try {
            JsonNode error = MAPPER.readTree(body);
            return NOT_FOUND.contains(error.path("name").asText())
                    || NO_SCHEMA.contains(error.path("error_code").asInt());
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private HttpClient http() {
        if (connections.isEmpty()) {
            connections = Optional.of(CLIENTS.lease(way, Connections::open));
        }
        return connections.get().get().http();
    }

    /** Another question opens it again. */
    @Override
    public void close() {
        connections.ifPresent(SharedResource.Lease::close);
        connections = Optional.empty();
    }

    /** Its URLs. */
    @Override
    public String toString() {
        return textOf(urls);
    }

    private static String textOf(List<URI> urls) {
        return urls.stream().map(URI::toString).collect(Collectors.joining(", "));
    }
}
