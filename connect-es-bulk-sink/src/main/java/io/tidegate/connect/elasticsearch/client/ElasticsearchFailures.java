package io.tidegate.connect.elasticsearch.client;

import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.AGAIN;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.BLOCKED;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.CLOSED_INDEX;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.CONFLICT;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.CROWDED;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.DONE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.ELSEWHERE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.FAILURE_STORE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.FORBIDDEN;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.KEPT;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.LATE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.MALFORMED;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.MISSING;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.NO_INDEX;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.NO_PIPELINE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.NO_PRIMARY;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.NO_VECTOR;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.SERVER_ERROR;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.STALE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.TAKEN;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.TASK;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.TOO_LARGE;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.UNANNOUNCED;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.UNAUTHORIZED;
import static io.tidegate.connect.elasticsearch.client.Verdict.Kind.UNUSABLE_INDEX;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.settings.LogVersion;
import io.tidegate.connect.elasticsearch.settings.VersionSource;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the answers of Elasticsearch, OpenSearch and what stands before them mean: the only class that knows their errors.
 * One table serves items of a bulk request, whole requests, and the creation of indexes and templates. The first row that
 * fits decides. {@link ConnectionFailures} has the requests without an answer.
 */
public final class ElasticsearchFailures {
    /** What was asked for. */
    public enum Asked {
        ITEM,
        REQUEST,
        INDEX,
        TEMPLATE
    }

    /**
     * An answer without success.
     *
     * @param own whether the server gave it, and not something before it
     * @param method of the item's document; of no meaning for a whole request
     * @param identified whether the sink sent an id of it, if it is an item
     * @param version where its document's version comes from, if it is an item
     */
    private record Answer(
            Asked asked,
            int status,
            ServerError error,
            boolean own,
            WriteMethod method,
            boolean identified,
            VersionSource version) {
        boolean versioned() {
            return version.isExternal();
        }
    }

    private record Row(Predicate<Answer> fits, Verdict verdict) {}

    /** How the reason of a conflict with an external version ends. The id before it may contain any text. */
    private static final Pattern VERSIONS = Pattern.compile(
            "current version \\[([0-9]+)\\] is higher (?:or equal to|than) the one provided \\[([0-9]+)\\]\\s*$");

    /** A template for fields that no mapping has: its name in an error shows that the index maps a field no longer. */
    public static final String NO_VECTOR_TEMPLATE = "tidegate_no_dense_vector";

    private static final Predicate<Answer> ITEM = asked(Asked.ITEM);
    private static final Predicate<Answer> REQUEST = ITEM.negate();
    private static final Predicate<Answer> FOREIGN = REQUEST.and(answer -> !answer.own());
    private static final Predicate<Answer> ARGUMENT = type("illegal_argument_exception");
    private static final Predicate<Answer> CONFLICTS = ITEM.and(type("version_conflict_engine_exception"));
    private static final Predicate<Answer> REFUSED_TOKEN = REQUEST.and(status(HttpStatus.FORBIDDEN))
            .and(begins(
                    "The security token included in the request is ",
                    "The request signature we calculated does not match ",
                    "Signature expired",
                    "Signature not yet current"));

    private static final String CHECK_USER =
            "check connection.username and connection.password, connection.api.key or connection.bearer.token, or the"
                    + " credentials provider";

    private static final String CHECK_RIGHTS =
            CHECK_USER + ", and the privileges on the index (create_index, index, delete)";

    private static final String AWS_ACCESS = "the access policy of the AWS domain refuses the caller: for a policy of"
            + " IAM set connection.credentials.provider=aws, without which requests are not signed for AWS, and allow its"
            + " role es:ESHttp* (or aoss:APIAccessAll, and a data access policy); or admit the address of the worker, and"
            + " use a user of OpenSearch (fine-grained access control)";

    private static final String CUT_BODY =
            "the body arrived empty, cut or still compressed: something on the way to the server changes it. Check the"
                    + " proxy or firewall; if it removes Content-Encoding, set connection.compression=false";

    private static final String FULL_SHARD =
            "the shard is full: roll the alias over to a new index, or change index.name";

    private static final String OTHER_LOG =
            "the document with these coordinates is of a record with another timestamp: the"
                    + " topic was created again, or another cluster's topic of the same name was written to the index, or a"
                    + " transform gives each delivery another timestamp. Write to another index (index.name), or delete the"
                    + " documents of the other topic; external.version=none, which a transform of that kind needs, overwrites them";

    private static final String NO_ROUTING = "leave routing empty, ";

    private static final List<Row> TABLE = List.of(
            // The document is as it should be. Nothing but the type says that a 409 is a conflict of versions.
            row(
                    CONFLICTS.and(by(WriteMethod.CREATE)).and(answer -> !answer.identified()),
                    TAKEN,
                    "it may be the same document of an earlier delivery; if not, give the index another dimension"),
            row(CONFLICTS.and(by(WriteMethod.CREATE)), KEPT, ""),
            row(CONFLICTS.and(ElasticsearchFailures::isSameVersion), KEPT, ""),
            row(CONFLICTS.and(answer -> answer.version().isOfLog()), TASK, OTHER_LOG),
            row(CONFLICTS.and(Answer::versioned), STALE, ""),
            row(CONFLICTS, CONFLICT, ""),
            row(ITEM.and(by(WriteMethod.DELETE)).and(type("index_not_found_exception")), DONE, ""),
            row(asked(Asked.INDEX).and(type("resource_already_exists_exception")), DONE, ""),
            row(asked(Asked.INDEX).and(says("already exists as alias")), DONE, ""),
            row(asked(Asked.TEMPLATE).and(ARGUMENT).and(ends("] already exists")), DONE, ""),

            // Without an error of its own.
            row(type(ItemFailure.FAILURE_STORE), FAILURE_STORE, "the failure store says why"),

            // The server, or one index, accepts nothing now.
            row(type("es_rejected_execution_exception", "circuit_breaking_exception"), CROWDED, ""),
            row(ITEM.and(type("cluster_block_exception")).and(status(HttpStatus.FORBIDDEN)), BLOCKED, ""),
            row(
                    type("cluster_block_exception"),
                    AGAIN,
                    "a full disk's block ends when there is room again; lift any other block on the server"),
            row(
                    type("index_create_block_exception"),
                    AGAIN,
                    "make room on the disks of the cluster, or lift its block on new indexes"),
            row(type("unavailable_shards_exception"), NO_PRIMARY, ""),
            row(
                    type(
                            "master_not_discovered_exception",
                            "process_cluster_event_timeout_exception",
                            "node_closed_exception",
                            "shard_not_found_exception"),
                    AGAIN,
                    ""),
            row(ARGUMENT.and(begins("Number of documents in the index can't exceed")), AGAIN, FULL_SHARD),
            row(ARGUMENT.and(begins("number of documents in the index cannot exceed")), AGAIN, FULL_SHARD),

            // One index cannot be used.
            row(type("index_closed_exception"), CLOSED_INDEX, "open the index, or change index.name"),
            row(
                    type("index_not_found_exception", "resource_not_found_exception")
                            .and(says("request flag is [true]")),
                    UNUSABLE_INDEX,
                    "change destination.type, or what has the name"),
            row(
                    type("index_not_found_exception"),
                    NO_INDEX,
                    "create the index, alias or data stream, set index.definition.file or index.template.file, allow it in"
                            + " action.auto_create_index on the server, or change destination.type"),
            row(
                    type("invalid_index_name_exception", "invalid_alias_name_exception"),
                    UNUSABLE_INDEX,
                    "change index.name or topic.index.map"),
            row(
                    type("validation_exception").and(says("this action would add [")),
                    AGAIN,
                    "the cluster has as many shards as it allows: delete indexes, or raise cluster.max_shards_per_node"),
            row(
                    type("validation_exception"),
                    UNUSABLE_INDEX,
                    "the cluster does not allow the index to be created; correct its settings"),
            row(
                    ARGUMENT.and(begins("no write index is defined for alias")),
                    UNUSABLE_INDEX,
                    "set is_write_index for one index of the alias, or change index.name"),
            row(
                    ARGUMENT.and(begins("only write ops with an op_type of create are allowed in data streams")),
                    UNUSABLE_INDEX,
                    "set write.method=create, or change index.name"),
            row(
                    ITEM.or(asked(Asked.INDEX)).and(type("security_exception")).and(status(HttpStatus.FORBIDDEN)),
                    UNUSABLE_INDEX,
                    CHECK_RIGHTS),
            row(
                    asked(Asked.TEMPLATE).and(type("security_exception")).and(status(HttpStatus.FORBIDDEN)),
                    FORBIDDEN,
                    CHECK_USER + ", and the privilege manage_index_templates"),
            row(
                    REQUEST.and(says("unrecognized parameter: [require_data_stream]")),
                    TASK,
                    "destination.type=data_stream needs Elasticsearch 8.13 or newer; for OpenSearch set"
                            + " server.product=opensearch, otherwise destination.type=any"),
            row(
                    ARGUMENT.and(begins("pipeline with id [")),
                    NO_PIPELINE,
                    "create the ingest pipeline or change the setting pipeline"),

            // A setting does not fit the index, so that it would refuse every document.
            row(type("routing_missing_exception"), TASK, "set routing, which the mapping of the index requires"),
            row(
                    ARGUMENT.and(begins("index request targeting data stream [")), // specifies a custom routing
                    TASK,
                    NO_ROUTING + "or set allow_custom_routing in the data stream's template"),
            row(
                    ARGUMENT.and(begins("specifying routing is not supported")),
                    TASK,
                    NO_ROUTING + "because the mode of the index selects shards by its fields"),
            row(
                    ITEM.and(ends(
                            "in time_series mode")), // "_id must be unset", "invalid id", "update is not supported"
                    TASK,
                    "the index is of the time series mode, which makes ids of its own and takes new documents only: set"
                            + " document.id=none and write.method=create, and do not delete"),
            row(
                    ARGUMENT.and(begins("Document ID is not supported in create/index operation request")),
                    TASK,
                    "this collection of OpenSearch Serverless takes no ids: set document.id=none and"
                            + " server.product=opensearch_serverless_time_series"),
            row(ITEM.and(says("dynamic template name [" + NO_VECTOR_TEMPLATE + ']')), NO_VECTOR, ""),

            // The document is at fault.
            row(type("document_missing_exception"), MISSING, ""),
            // A pipeline rejected it, though with status 500: its processor fail, or dissect without a match.
            row(type("fail_processor_exception", "find_match"), MALFORMED, ""),
            row(ITEM.and(status(HttpStatus.BAD_REQUEST)), MALFORMED, ""), // mappings and processors have many types
            row(ITEM.and(status(HttpStatus.CONTENT_TOO_LARGE)), MALFORMED, ""),

            // Any other item: the document has no fault that the error names.
            row(ITEM.and(status(HttpStatus.TOO_MANY_REQUESTS)), CROWDED, ""),
            row(ITEM.and(status(HttpStatus.INTERNAL_SERVER_ERROR)), SERVER_ERROR, ""),
            row(
                    ITEM.and(status(HttpStatus.BAD_REQUEST, HttpStatus.LAST_CLIENT_ERROR)),
                    AGAIN,
                    "the error names no fault of the document, but something that the index or its pipeline uses, such as"
                            + " a model, a license or another service: correct it on the server"),
            row(ITEM, AGAIN, ""),

            // Messages of gateways. Sources: Elastic Cloud, "Unknown resource" in its proxy's answers; Amazon
            // OpenSearch
            // Service, "Troubleshooting" and "Network limits".
            row(
                    FOREIGN.and(begins("Unknown resource.")),
                    ELSEWHERE,
                    "Elastic Cloud has no running deployment at this address: check that the deployment runs, and cloud.id or"
                            + " connection.url"),
            row(FOREIGN.and(begins("User: ", "Missing Authentication Token")), ELSEWHERE, AWS_ACCESS),
            row(
                    REQUEST.and(status(HttpStatus.FORBIDDEN)).and(type("Forbidden")), // OpenSearch Serverless
                    UNAUTHORIZED,
                    AWS_ACCESS),
            row(
                    REFUSED_TOKEN,
                    UNAUTHORIZED,
                    "check the clock and the credentials of the worker, and connection.credentials.aws.region"),
            row(
                    FOREIGN.and(begins("Request size exceeded ")),
                    TOO_LARGE,
                    "lower batch.max.bytes below this limit, which depends on the AWS instance type"),

            // A definition that the server does not accept.
            row(
                    asked(Asked.INDEX).and(status(HttpStatus.BAD_REQUEST)).and(Answer::own),
                    TASK,
                    "correct the file that index.definition.file names"),
            row(
                    asked(Asked.TEMPLATE).and(status(HttpStatus.BAD_REQUEST)).and(Answer::own),
                    TASK,
                    "correct the file that index.template.file names"),

            // A body that did not arrive as it was sent. It says nothing about the documents.
            row(begins("request body is required"), AGAIN, CUT_BODY),
            row(begins("Validation Failed: 1: no requests added"), AGAIN, CUT_BODY),
            row(ARGUMENT.and(begins("The bulk request must be terminated by a newline")), AGAIN, CUT_BODY),
            row(says("Illegal character ((CTRL-CHAR, code 31))"), AGAIN, CUT_BODY), // how gzip begins

            // Status 400 may blame a document only if the error is about the content of the body.
            row(
                    status(HttpStatus.BAD_REQUEST).and(type("")),
                    AGAIN,
                    "the answer is not Elasticsearch's own: check the proxy or firewall in front of it"),
            row(
                    status(HttpStatus.BAD_REQUEST)
                            .and(type(
                                    "document_parsing_exception",
                                    "mapper_parsing_exception",
                                    "parse_exception",
                                    "parsing_exception",
                                    "x_content_parse_exception",
                                    "json_parse_exception",
                                    "json_e_o_f_exception",
                                    "input_coercion_exception",
                                    "stream_constraints_exception")),
                    MALFORMED,
                    ""),
            row(ARGUMENT.and(begins("Malformed ")), MALFORMED, ""), // "Malformed action/metadata line [3]"
            row(
                    status(HttpStatus.BAD_REQUEST),
                    TASK,
                    "the server refuses the request itself, whatever its documents: check connection.url, and that it"
                            + " names Elasticsearch 7.17 or newer, or OpenSearch"),

            // Any other whole request.
            row(
                    status(HttpStatus.CONTENT_TOO_LARGE),
                    TOO_LARGE,
                    "lower batch.max.bytes, or raise http.max_content_length on the server"),
            row(
                    status(HttpStatus.LAST_SUCCESS + 1, HttpStatus.BAD_REQUEST - 1),
                    ELSEWHERE,
                    "redirections are not followed: put the address to which this one leads into connection.url"),
            row(status(HttpStatus.UNAUTHORIZED), UNAUTHORIZED, CHECK_USER),
            row(
                    FOREIGN.and(status(HttpStatus.FORBIDDEN)),
                    ELSEWHERE,
                    CHECK_USER + ", the privileges of the user, and the rules of a proxy or firewall on the way"),
            row(status(HttpStatus.FORBIDDEN), FORBIDDEN, CHECK_RIGHTS),
            row(status(HttpStatus.PROXY_AUTHENTICATION_REQUIRED), ELSEWHERE, "check proxy.username and proxy.password"),
            row(FOREIGN.and(status(HttpStatus.NOT_FOUND)), ELSEWHERE, "check the path in connection.url"),
            row(status(HttpStatus.NOT_FOUND), TASK, "check the path in connection.url"),
            row(status(HttpStatus.EXPECTATION_FAILED), UNANNOUNCED, ""),
            row(status(HttpStatus.TOO_MANY_REQUESTS), CROWDED, ""),
            row(
                    status(HttpStatus.REQUEST_TIMEOUT).or(status(HttpStatus.BAD_GATEWAY, HttpStatus.GATEWAY_TIMEOUT)),
                    LATE,
                    ""),
            row(status(HttpStatus.INTERNAL_SERVER_ERROR, HttpStatus.LAST_SERVER_ERROR), AGAIN, ""),
            row(
                    FOREIGN.and(status(HttpStatus.BAD_REQUEST, HttpStatus.LAST_CLIENT_ERROR)),
                    ELSEWHERE,
                    "check connection.url, and the proxy or firewall that answers in place of the server"),
            row(answer -> true, TASK, "check that connection.url names Elasticsearch"));

    private ElasticsearchFailures() {}

    /**
     * What the failure of one item means.
     *
     * @param method of its document
     * @param hasId whether the sink sent an id of its document
     * @param version where its document's version comes from
     */
    public static Verdict ofItem(ItemFailure item, WriteMethod method, boolean hasId, VersionSource version) {
        return of(new Answer(Asked.ITEM, item.status(), item.error(), true, method, hasId, version));
    }

    /** The failure of a request with a body that has no fault, so that something on the way changes bodies. */
    public static RequestFailure ofChangedBody(RequestFailure e) {
        return e.as(Failure.TRANSIENT, CUT_BODY);
    }

    /** The failure of a task whose records have the coordinates of documents that are of other records. */
    public static RequestFailure ofOtherLog(String document, String index) {
        return RequestFailure.of(new Verdict(TASK, OTHER_LOG), document + " cannot be written to the index " + index);
    }

    /** What a response without success for a whole request means. */
    static Verdict ofRequest(Asked asked, int status, ServerError error, boolean own) {
        return of(new Answer(asked, status, error, own, WriteMethod.INDEX, true, VersionSource.NONE));
    }

    private static Verdict of(Answer answer) {
        return TABLE.stream()
                .filter(row -> row.fits().test(answer))
                .findFirst()
                .orElseThrow()
                .verdict();
    }

    /**
     * The versions that a conflict is about.
     *
     * @param current the version in the index
     * @param provided the version of the rejected document
     */
    public record Versions(String current, String provided) {}

    /** The versions that an item's error names, if it is a conflict of external versions. */
    public static Optional<Versions> versions(ServerError error) {
        Matcher found = VERSIONS.matcher(error.reason());
        return found.find() ? Optional.of(new Versions(found.group(1), found.group(2))) : Optional.empty();
    }

    /** An earlier attempt wrote the document, with this version. A later version proves nothing. */
    private static boolean isSameVersion(Answer answer) {
        return answer.versioned()
                && versions(answer.error())
                        .filter(versions -> answer.version().isOfLog()
                                ? LogVersion.isSameRecord(
                                        Long.parseLong(versions.current()), Long.parseLong(versions.provided()))
                                : versions.current().equals(versions.provided()))
                        .isPresent();
    }

    private static Row row(Predicate<Answer> fits, Verdict.Kind kind, String advice) {
        return new Row(fits, new Verdict(kind, advice));
    }

    private static Predicate<Answer> asked(Asked asked) {
        return answer -> answer.asked() == asked;
    }

    private static Predicate<Answer> by(WriteMethod method) {
        return answer -> answer.method() == method;
    }

    private static Predicate<Answer> type(String... types) {
        List<String> any = List.of(types);
        return answer -> any.contains(answer.error().type());
    }

    private static Predicate<Answer> status(int status) {
        return status(status, status);
    }

    private static Predicate<Answer> status(int first, int last) {
        return answer -> answer.status() >= first && answer.status() <= last;
    }

    private static Predicate<Answer> begins(String... starts) {
        return answer -> Stream.of(starts).anyMatch(answer.error().reason()::startsWith);
    }

    private static Predicate<Answer> ends(String end) {
        return answer -> answer.error().reason().endsWith(end);
    }

    private static Predicate<Answer> says(String words) {
        return answer -> answer.error().reason().contains(words);
    }
}
