package io.tidegate.connect.elasticsearch.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.bulk.VectorFields;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.FlatJson;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.settings.VectorSettings;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the mappings of indexes say about the fields of {@link VectorSettings}. The lanes of a task share it. A mapping
 * may have changed since: a document in Base64 then names a template for the missing field that no index has, so that
 * Elasticsearch refuses it instead of taking the Base64 for text, and {@link #giveUp} is called.
 */
public final class VectorMappings implements VectorFields {
    private static final Logger log = LoggerFactory.getLogger(VectorMappings.class);

    /** How long an answer counts: an index may be created again, without the mapping and with {@code dynamic=false}. */
    private static final Duration VALID = Duration.ofSeconds(30);

    /** Most names that are remembered, because names that depend on records may be many. */
    private static final int MAX_KNOWN = 10_000;

    private static final String VECTOR = "dense_vector";

    /** The types of elements whose Base64 has floats. The first is the default. */
    private static final Set<String> FLOATS = Set.of("float", "bfloat16");

    private static final Pattern NUMBER = Pattern.compile("^(\\d{1,4})\\.(\\d{1,4})");
    private static final int FIRST_MAJOR = 9;
    private static final int FIRST_MINOR = 3;

    private final VectorSettings settings;
    private final Clock clock;
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private volatile Optional<Boolean> isTaken = Optional.empty(); // lanes write it, each the same
    private volatile boolean isSaid; // lanes write it

    private record Known(Set<String> fields, long since, boolean isForGood) {}

    public VectorMappings(VectorSettings settings, Clock clock) {
        this.settings = requireNonNull(settings, "settings");
        this.clock = requireNonNull(clock, "clock");
    }

    /** Sends everything as it is. */
    public static VectorMappings none() {
        return new VectorMappings(new VectorSettings(List.of()), Clock.SYSTEM);
    }

    @Override
    public Set<String> of(String index) {
        Known found = known.get(index);
        return found == null ? Set.of() : found.fields();
    }

    /**
     * Asks for the mappings of indexes that are not known, or not lately.
     *
     * @return whether the answer for one of them is another than before
     * @throws RequestFailure if the server cannot be asked now
     */
    boolean learn(Set<String> indexes, ElasticsearchSession session) throws RequestFailure {
        if (settings.fields().isEmpty()) {
            return false;
        }
        boolean isChanged = false;
        for (String index : indexes) {
            Known found = known.get(index);
            boolean isKnown =
                    found != null && (found.isForGood() || clock.nanoTime() - found.since() < VALID.toNanos());
            if (!isKnown) {
                Set<String> fields = isTaken(session) ? ask(index, session) : Set.of();
                if (known.size() >= MAX_KNOWN) {
                    known.clear();
                }
                known.put(index, new Known(fields, clock.nanoTime(), false));
                isChanged |= !fields.equals(found == null ? Set.of() : found.fields());
            }
        }
        return isChanged;
    }

    /**
     * Takes no vectors in Base64 for an index after it refused a document with them: for a while, because the document may
     * be at fault, or a node that is older than the one that was asked; or for good, because the index written to has not
     * the mapping.
     */
    void giveUp(String index, boolean forGood) {
        known.put(index, new Known(Set.of(), clock.nanoTime(), forGood));
    }

    private boolean isTaken(ElasticsearchSession session) throws RequestFailure {
        if (isTaken.isEmpty()) {
            Optional<Map<String, String>> server =
                    read(Request.of("GET", "/"), "the question for the server's version", session);
            if (server.isEmpty()) {
                return false; // the user may not ask now
            }
            isTaken = Optional.of(isTaken(server.get()));
            if (!isTaken.get()) {
                say("the server is not Elasticsearch 9.3 or newer");
            }
        }
        return isTaken.get();
    }

    private static boolean isTaken(Map<String, String> server) {
        if (server.containsKey("/version/distribution")) {
            return false; // OpenSearch
        }
        if ("serverless".equals(server.get("/version/build_flavor"))) {
            return true; // its number stays the same
        }
        Matcher number = NUMBER.matcher(server.getOrDefault("/version/number", ""));
        if (!number.find()) {
            return false;
        }
        int major = Integer.parseInt(number.group(1));
        return major > FIRST_MAJOR || (major == FIRST_MAJOR && Integer.parseInt(number.group(2)) >= FIRST_MINOR);
    }

    private Set<String> ask(String index, ElasticsearchSession session) throws RequestFailure {
        String fields = settings.fields().stream().map(Request::inPath).collect(Collectors.joining(","));
        Map<String, String> mapping = read(
                        Request.of("GET", "/" + Request.inPath(index) + "/_mapping/field/" + fields),
                        "the question for the mapping of " + index,
                        session)
                .orElse(Map.of());
        Set<String> indexes = mapping.keySet().stream()
                .map(pointer -> pointer.split("/", -1)[1])
                .collect(Collectors.toSet());
        Set<String> vectors = new HashSet<>();
        for (String field : settings.fields()) {
            String end = "/mappings/" + field + "/mapping/" + field + "/type";
            List<String> types = mapping.keySet().stream()
                    .filter(pointer -> pointer.endsWith(end))
                    .toList();
            boolean isInAll = !types.isEmpty() && types.size() == indexes.size(); // an alias may have several
            if (!types.isEmpty() && !isInAll) {
                say("an index behind " + index + " has no field " + field);
            }
            if (isInAll && types.stream().allMatch(type -> isOfFloats(mapping, type))) {
                vectors.add(field);
            }
        }
        return vectors;
    }

    private static boolean isOfFloats(Map<String, String> mapping, String type) {
        String elements = type.substring(0, type.lastIndexOf('/')) + "/element_type";
        return mapping.get(type).equals(VECTOR) && FLOATS.contains(mapping.getOrDefault(elements, "float"));
    }

    /** The answer, without members for what does not exist; empty if the user may not ask. */
    private Optional<Map<String, String>> read(Request request, String description, ElasticsearchSession session)
            throws RequestFailure {
        Response response = session.perform(request, description);
        if (HttpStatus.isTemporary(response.status())) {
            throw RequestFailure.of(description, response);
        }
        if (!response.isSuccess() && response.status() != HttpStatus.NOT_FOUND) {
            say(description + " was answered with status " + response.status());
        }
        if (response.isSuccess()) {
            return Optional.of(FlatJson.read(response.content()));
        }
        return response.status() == HttpStatus.NOT_FOUND ? Optional.of(Map.of()) : Optional.empty();
    }

    private void say(String reason) {
        if (!isSaid) {
            isSaid = true;
            log.warn("vector.fields has no effect: {}", reason);
        }
    }
}
