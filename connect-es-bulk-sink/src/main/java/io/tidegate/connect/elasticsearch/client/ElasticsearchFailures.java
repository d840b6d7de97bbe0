package io.tidegate.connect.elasticsearch.client;

import static io.tidegate.connect.common.spi.Failure.FATAL;
import static io.tidegate.connect.common.spi.Failure.REJECTED;
import static io.tidegate.connect.common.spi.Failure.TRANSIENT;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Elasticsearch's errors mean to the pipeline: the only class that knows them. The first matching row of a table
 * decides. The server's code has priority over the HTTP status, because it says more. {@link ConnectionFailures} has the
 * requests without an answer.
 */
public final class ElasticsearchFailures {
    private ElasticsearchFailures() {}

    /**
     * What an error means, and what a human can do about it.
     *
     * @param advice which setting or which thing on the server to change; empty when there is nothing to do
     */
    public record Classification(Failure failure, String advice) {
        /** A classification without advice. */
        public static Classification of(Failure failure) {
            return new Classification(failure, "");
        }

        /** Adds the advice to the message, if there is any. */
        public String in(String message) {
            return advice.isEmpty() ? message : message + "; " + advice;
        }
    }

    /** The failure class is that of an item; if it is empty, the item's status decides. */
    private record Code(
            String type, String reasonStart, Classification classification, Optional<FailureClass> failureClass) {
        Code(String type, Failure failure, String advice) {
            this(type, "", failure, advice);
        }

        Code(String type, String reasonStart, Failure failure, String advice) {
            this(type, reasonStart, new Classification(failure, advice), Optional.empty());
        }

        Code as(FailureClass ofItem) {
            return new Code(type, reasonStart, classification, Optional.of(ofItem));
        }

        boolean fits(ServerError error) {
            return type.equals(error.type()) && error.reason().startsWith(reasonStart);
        }
    }

    private record Status(int first, int last, Classification classification) {
        Status(int status, Failure failure, String advice) {
            this(status, status, failure, advice);
        }

        Status(int first, int last, Failure failure, String advice) {
            this(first, last, new Classification(failure, advice));
        }

        boolean fits(int status) {
            return status >= first && status <= last;
        }
    }

    private static final String BLOCKED = "cluster_block_exception";
    private static final String NO_PRIMARY = "unavailable_shards_exception";
    private static final String NO_INDEX = "index_not_found_exception";

    /** How the reason of a conflict with an external version ends. The id before it may contain any text. */
    private static final Pattern VERSIONS = Pattern.compile(
            "current version \\[([0-9]+)\\] is higher (?:or equal to|than) the one provided \\[([0-9]+)\\]\\s*$");

    private static final String ILLEGAL_ARGUMENT = "illegal_argument_exception";
    private static final String CHECK_USER =
            "check connection.username and connection.password, connection.api.key or connection.bearer.token, or the"
                    + " credentials provider";

    private static final String AWS_ACCESS = "the access policy of the AWS domain refuses the caller: for a policy of"
            + " IAM set connection.credentials.provider=aws, without which requests are not signed for AWS, and allow its"
            + " role es:ESHttp* (or aoss:APIAccessAll, and a data access policy); or admit the address of the worker, and"
            + " use a user of OpenSearch (fine-grained access control)";

    private static final String AWS_TOKEN =
            "check the clock and the credentials of the worker, and connection.credentials.aws.region";

    /** How AWS's gateway begins to say that a signature or its credentials are invalid, which others may not be. */
    private static final List<String> REFUSED_TOKENS = List.of(
            "The security token included in the request is ",
            "The request signature we calculated does not match ",
            "Signature expired",
            "Signature not yet current");

    /** Codes that mean the same for one item and for a whole request. */
    private static final List<Code> CODES = List.of(
            new Code("es_rejected_execution_exception", TRANSIENT, ""),
            new Code("circuit_breaking_exception", TRANSIENT, ""),
            new Code(
                    BLOCKED,
                    TRANSIENT,
                    "a full disk's block ends when there is room again; lift any other block on the server"),
            new Code(NO_PRIMARY, TRANSIENT, ""),
            new Code("master_not_discovered_exception", TRANSIENT, ""),
            new Code("process_cluster_event_timeout_exception", TRANSIENT, ""),
            new Code("node_closed_exception", TRANSIENT, ""),
            new Code("fail_processor_exception", REJECTED, ""), // a pipeline rejected it, though with status 500
            new Code(
                            "security_exception",
                            FATAL,
                            CHECK_USER + ", and the privileges on the index (create_index, index, delete)")
                    .as(FailureClass.INDEX),
            new Code(
                            NO_INDEX,
                            FATAL,
                            "create the index, alias or data stream, set index.definition.file or index.template.file, allow it in"
                                    + " action.auto_create_index on the server, or change destination.type")
                    .as(FailureClass.INDEX),
            new Code("index_closed_exception", FATAL, "open the index, or change index.name").as(FailureClass.INDEX),
            new Code("invalid_index_name_exception", FATAL, "change index.name or topic.index.map")
                    .as(FailureClass.INDEX),
            new Code("invalid_alias_name_exception", FATAL, "change index.name or topic.index.map")
                    .as(FailureClass.INDEX),
            new Code(
                    "validation_exception",
                    FATAL,
                    "the cluster does not allow the index to be created; raise its limits or create fewer shards"),
            new Code(
                    "index_create_block_exception",
                    TRANSIENT,
                    "make room on the disks of the cluster, or lift its block on new indexes"),
            new Code("shard_not_found_exception", TRANSIENT, ""),
            new Code("document_missing_exception", REJECTED, ""),
            new Code("routing_missing_exception", FATAL, "set routing, which the mapping of the index requires"),
            new Code(
                    ILLEGAL_ARGUMENT,
                    "index request targeting data stream [", // "... specifies a custom routing but the ..."
                    FATAL,
                    "leave routing empty, or set allow_custom_routing in the data stream's template"),
            new Code(
                    ILLEGAL_ARGUMENT,
                    "specifying routing is not supported",
                    FATAL,
                    "leave routing empty, because the mode of the index selects shards by its fields"),
            new Code(
                    ILLEGAL_ARGUMENT,
                    "Document ID is not supported in create/index operation request",
                    FATAL,
                    "this collection of OpenSearch Serverless takes no ids: set document.id=none and"
                            + " server.product=opensearch_serverless_time_series"),
            new Code(
                            ILLEGAL_ARGUMENT,
                            "no write index is defined for alias",
                            FATAL,
                            "set is_write_index for one index of the alias, or change index.name")
                    .as(FailureClass.INDEX),
            new Code(
                            ILLEGAL_ARGUMENT,
                            "only write ops with an op_type of create are allowed in data streams",
                            FATAL,
                            "set write.method=create, or change index.name")
                    .as(FailureClass.INDEX),
            new Code(
                    ILLEGAL_ARGUMENT,
                    "Number of documents in the index can't exceed",
                    TRANSIENT,
                    "the shard is full: roll the alias over to a new index, or change index.name"),
            new Code(
                    ILLEGAL_ARGUMENT,
                    "number of documents in the index cannot exceed",
                    TRANSIENT,
                    "the shard is full: roll the alias over to a new index, or change index.name"),
            new Code(
                            ILLEGAL_ARGUMENT,
                            "pipeline with id [",
                            FATAL,
                            "create the ingest pipeline or change the setting pipeline")
                    .as(FailureClass.PIPELINE));

    /**
     * What status 400 for a whole request means. Only errors about the body's content may blame a document. Any other
     * error would refuse every document alike.
     */
    private static final List<Code> OF_BAD_REQUEST = List.of(
            new Code(
                    "", // a response without Elasticsearch's own error
                    TRANSIENT,
                    "the answer is not Elasticsearch's own: check the proxy or firewall in front of it"),
            new Code("document_parsing_exception", REJECTED, ""),
            new Code("mapper_parsing_exception", REJECTED, ""),
            new Code("parse_exception", REJECTED, ""),
            new Code("parsing_exception", REJECTED, ""),
            new Code("x_content_parse_exception", REJECTED, ""),
            new Code("json_parse_exception", REJECTED, ""),
            new Code("json_e_o_f_exception", REJECTED, ""),
            new Code("input_coercion_exception", REJECTED, ""),
            new Code("stream_constraints_exception", REJECTED, ""),
            new Code(ILLEGAL_ARGUMENT, "Malformed ", REJECTED, "")); // "Malformed action/metadata line [3]"

    /**
     * Messages of clouds' gateways. Sources: Elastic Cloud, "Unknown resource" in its proxy's answers; Amazon OpenSearch
     * Service, "Troubleshooting" and "Network limits".
     */
    private static final List<Code> OF_GATEWAY = List.of(
            new Code(
                    "",
                    "Unknown resource.",
                    FATAL,
                    "Elastic Cloud has no running deployment at this address: check that the deployment runs, and"
                            + " cloud.id or connection.url"),
            new Code("", "User: ", FATAL, AWS_ACCESS),
            new Code("", "Missing Authentication Token", FATAL, AWS_ACCESS),
            new Code("", REFUSED_TOKENS.get(0), FATAL, AWS_TOKEN),
            new Code("", REFUSED_TOKENS.get(1), FATAL, AWS_TOKEN),
            new Code("", REFUSED_TOKENS.get(2), FATAL, AWS_TOKEN),
            new Code("", REFUSED_TOKENS.get(3), FATAL, AWS_TOKEN),
            new Code(
                    "",
                    "Request size exceeded ",
                    REJECTED,
                    "lower batch.max.bytes below this limit, which depends on the AWS instance type"));

    private static final List<Status> OF_ITEM = List.of(
            new Status(HttpStatus.TOO_MANY_REQUESTS, TRANSIENT, ""),
            new Status(HttpStatus.INTERNAL_SERVER_ERROR, HttpStatus.LAST_SERVER_ERROR, TRANSIENT, ""),
            new Status(HttpStatus.BAD_REQUEST, REJECTED, ""), // errors of mappings and processors have many codes
            new Status(HttpStatus.CONFLICT, REJECTED, ""),
            new Status(HttpStatus.CONTENT_TOO_LARGE, REJECTED, ""),
            new Status(
                    HttpStatus.FORBIDDEN,
                    FATAL,
                    "check the privileges of the user, the license and the blocks of the cluster"),
            new Status(
                    HttpStatus.BAD_REQUEST,
                    HttpStatus.LAST_CLIENT_ERROR,
                    FATAL,
                    "the error names no fault of the document: correct it on the server"));

    private static final List<Status> OF_REQUEST = List.of(
            new Status(
                    HttpStatus.BAD_REQUEST,
                    FATAL,
                    "the server refuses the request itself, whatever its documents: check connection.url, and that it"
                            + " names Elasticsearch 7.17 or newer, or OpenSearch"),
            new Status(
                    HttpStatus.CONTENT_TOO_LARGE,
                    REJECTED,
                    "lower batch.max.bytes, or raise http.max_content_length on the server"),
            new Status(
                    HttpStatus.LAST_SUCCESS + 1,
                    HttpStatus.BAD_REQUEST - 1,
                    FATAL,
                    "redirections are not followed: put the address to which this one leads into connection.url"),
            new Status(HttpStatus.UNAUTHORIZED, FATAL, CHECK_USER),
            new Status(
                    HttpStatus.FORBIDDEN,
                    FATAL,
                    CHECK_USER + ", the privileges of the user, and the rules of a proxy or firewall on the way"),
            new Status(HttpStatus.PROXY_AUTHENTICATION_REQUIRED, FATAL, "check proxy.username and proxy.password"),
            new Status(HttpStatus.NOT_FOUND, FATAL, "check the path in connection.url"),
            new Status(
                    HttpStatus.NOT_ACCEPTABLE,
                    FATAL,
                    "check that connection.url names an Elasticsearch 7.17, 8 or 9 server; for OpenSearch set"
                            + " server.product=opensearch"),
            new Status(HttpStatus.REQUEST_TIMEOUT, TRANSIENT, ""),
            new Status(HttpStatus.TOO_MANY_REQUESTS, TRANSIENT, ""),
            new Status(HttpStatus.INTERNAL_SERVER_ERROR, HttpStatus.LAST_SERVER_ERROR, TRANSIENT, ""));

    private static final Classification UNKNOWN_STATUS =
            new Classification(FATAL, "check that connection.url names Elasticsearch");
    /** After this many attempts in a row a server error is considered the document's fault. */
    public static final int HOPELESS_ATTEMPTS = 10;

    /** What the failure of one item means. */
    public static Classification ofItem(int status, ServerError error) {
        return ofCode(CODES, error).or(() -> ofStatus(OF_ITEM, status)).orElse(new Classification(TRANSIENT, ""));
    }

    /**
     * Whether the server had no room for an item. A full disk does not count, because fewer requests would not help.
     */
    public static boolean isForLackOfRoom(ItemFailure item) {
        return item.status() == HttpStatus.TOO_MANY_REQUESTS
                && !item.error().type().equals(BLOCKED);
    }

    /** Whether the server waited for the item's primary shard until the time limit. */
    public static boolean isWithoutPrimary(ItemFailure item) {
        return item.error().type().equals(NO_PRIMARY);
    }

    /** Whether an item caused a server error without a known code. */
    public static boolean isServerError(ItemFailure item) {
        return item.status() == HttpStatus.INTERNAL_SERVER_ERROR
                && ofCode(CODES, item.error()).isEmpty();
    }

    /** The class of an item's failure if a policy decides how to handle it; empty when it is retried or fatal. */
    public static Optional<FailureClass> classOf(ItemFailure item, DocumentSettings settings) {
        ServerError error = item.error();
        if (error.type().equals(BLOCKED)) { // with status 429 it is the block of a full disk
            return item.status() == HttpStatus.FORBIDDEN ? Optional.of(FailureClass.BLOCKED) : Optional.empty();
        }
        Optional<FailureClass> ofCode =
                CODES.stream().filter(row -> row.fits(error)).findFirst().flatMap(Code::failureClass);
        if (ofCode.isPresent()) {
            return ofCode;
        }
        if (isServerError(item)) {
            return Optional.of(FailureClass.SERVER_ERROR);
        }
        if (ofItem(item.status(), error).failure() != REJECTED) {
            return Optional.empty();
        }
        return Optional.of(
                switch (item.status()) {
                    case HttpStatus.CONFLICT ->
                        settings.version().isExternal() ? FailureClass.STALE : FailureClass.CONFLICT;
                    case HttpStatus.NOT_FOUND -> FailureClass.MISSING;
                    default -> FailureClass.MALFORMED;
                });
    }

    /**
     * Whether an item failed only because the document already exists. An earlier attempt may have created it, or
     * written it with the same external version. A later version proves nothing.
     *
     * @param method of this document
     */
    public static boolean isAlreadyWritten(ItemFailure item, WriteMethod method, DocumentSettings settings) {
        if (item.status() != HttpStatus.CONFLICT) {
            return false;
        }
        return method.isCreate()
                || (settings.version().isExternal()
                        && versions(item)
                                .filter(versions -> versions.current().equals(versions.provided()))
                                .isPresent());
    }

    /**
     * The versions that a conflict is about.
     *
     * @param current the version in the index
     * @param provided the version of the rejected document
     */
    public record Versions(String current, String provided) {}

    /** The versions that an item's error names, if it is a conflict of external versions. */
    public static Optional<Versions> versions(ItemFailure item) {
        Matcher found = VERSIONS.matcher(item.error().reason());
        return found.find() ? Optional.of(new Versions(found.group(1), found.group(2))) : Optional.empty();
    }

    /** Whether an error concerns only one index, such as its name, and says nothing about others. */
    public static boolean isOfIndex(ServerError error) {
        return CODES.stream()
                .filter(row -> row.fits(error))
                .findFirst()
                .flatMap(Code::failureClass)
                .filter(FailureClass.INDEX::equals)
                .isPresent();
    }

    /** Whether the index of an item does not exist, so nothing can be deleted in it. */
    public static boolean isWithoutIndex(ItemFailure item) {
        return item.error().type().equals(NO_INDEX);
    }

    /** Whether no index, alias or data stream has this name. Otherwise something of another type may have it. */
    public static boolean isWithoutAnyIndex(ItemFailure item) {
        return isWithoutIndex(item) && !item.error().reason().contains("request flag is [true]");
    }

    /** What a response without success for a whole request means. */
    public static Classification ofRequest(int status, ServerError error) {
        return ofCode(CODES, error)
                .or(() -> ofCode(OF_GATEWAY, error))
                .or(() -> status == HttpStatus.BAD_REQUEST ? ofCode(OF_BAD_REQUEST, error) : Optional.empty())
                .or(() -> ofStatus(OF_REQUEST, status))
                .orElse(UNKNOWN_STATUS);
    }

    /** Whether the answer says that a signature or its credentials are invalid or expired. */
    static boolean refusesToken(int status, ServerError error) {
        return status == HttpStatus.FORBIDDEN && REFUSED_TOKENS.stream().anyMatch(error.reason()::startsWith);
    }

    private static Optional<Classification> ofCode(List<Code> table, ServerError error) {
        return table.stream()
                .filter(row -> row.fits(error))
                .map(Code::classification)
                .findFirst();
    }

    private static Optional<Classification> ofStatus(List<Status> table, int status) {
        return table.stream()
                .filter(row -> row.fits(status))
                .map(Status::classification)
                .findFirst();
    }
}
