package io.tidegate.connect.elasticsearch.settings;

import io.tidegate.connect.common.override.ErrorCodes;
import io.tidegate.connect.common.override.ErrorOverrides;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** Types of Elasticsearch's errors, and HTTP statuses, as codes of {@code error.overrides}. Stateless. */
public final class ElasticsearchErrorCodes implements ErrorCodes {
    private static final Pattern STATUS = Pattern.compile("[45][0-9]{2}");
    private static final Pattern TYPE = Pattern.compile("[a-z][a-z0-9_]*");
    private static final Pattern ENDING = Pattern.compile("(_engine)?(_exception)?$");

    /** Statuses of every request when the server, a proxy or the user is at fault; and all from 500. */
    private static final Set<String> NOT_OF_DOCUMENTS = Set.of("401", "403", "407", "408", "429");

    private static final Set<String> CLASSES =
            Arrays.stream(FailureClass.values()).map(FailureClass::code).collect(Collectors.toUnmodifiableSet());

    private static final Set<String> TYPES_NOT_OF_DOCUMENTS = Set.of(
            "circuit_breaking",
            "cluster_block",
            "es_rejected_execution",
            "index_create_block",
            "master_not_discovered",
            "node_closed",
            "process_cluster_event_timeout",
            "security",
            "shard_not_found",
            "unavailable_shards");

    public static ConfigDef define(ConfigDef def) {
        return ErrorOverrides.define(
                def,
                new ElasticsearchErrorCodes(),
                "A code is the type of an error, such as `mapper_parsing` (`_exception` and `_engine_exception` may be"
                        + " left out), an HTTP status, such as `409`, or a class of failures: "
                        + Arrays.stream(FailureClass.values())
                                .map(each -> "`" + each.code() + "`")
                                .collect(Collectors.joining(", "))
                        + ". A type has priority over a status, and both over a class. For example,"
                        + " `version_conflict:dlq, index_not_found:retry:10m` refuses documents that are older than those"
                        + " in the index, and waits ten minutes for an index that is created late.");
    }

    public static ErrorOverrides from(AbstractConfig config) {
        return ErrorOverrides.from(config, new ElasticsearchErrorCodes());
    }

    /** The codes that fit an error, the most specific one first; a {@link FailureClass#code()} may follow. */
    public static List<String> of(String type, int status) {
        return type.isEmpty() ? List.of(Integer.toString(status)) : List.of(ofType(type), Integer.toString(status));
    }

    /** The code of a type. */
    public static String ofType(String type) {
        return ENDING.matcher(type).replaceFirst("");
    }

    @Override
    public String canonical(String code) {
        if (STATUS.matcher(code).matches() || CLASSES.contains(code.toLowerCase(Locale.ROOT))) {
            return code.toLowerCase(Locale.ROOT);
        }
        String type = code.toLowerCase(Locale.ROOT);
        if (!TYPE.matcher(type).matches() || ofType(type).isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + code
                            + "' is neither the type of an error, such as mapper_parsing_exception, nor a status from 400 to 599");
        }
        return ofType(type);
    }

    @Override
    public Optional<String> dangerOfRefusing(String code) {
        boolean isOfServer =
                code.startsWith("5") || NOT_OF_DOCUMENTS.contains(code) || TYPES_NOT_OF_DOCUMENTS.contains(code);
        return isOfServer
                ? Optional.of(
                        "the error says that the server, its indexes, a proxy or the user is at fault, not a document:"
                                + " every record would be given up; use retry or fail, or a class such as blocked_index")
                : Optional.empty();
    }
}
