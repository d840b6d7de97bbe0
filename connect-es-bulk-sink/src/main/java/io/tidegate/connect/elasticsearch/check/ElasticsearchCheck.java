package io.tidegate.connect.elasticsearch.check;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.credentials.Credentials;
import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.document.TemplateDestinations;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.elasticsearch.client.ElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.FlatJson;
import io.tidegate.connect.elasticsearch.client.HttpStatus;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.ServerError;
import io.tidegate.connect.elasticsearch.client.Verdict;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IndexSettings;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Elasticsearch whether it would accept what a connector is going to write: whether a node responds and accepts
 * the credentials, and which privileges the user has on the indexes that are known without a record. It changes
 * nothing. It leaves out what the user may not ask or the server does not know.
 */
public final class ElasticsearchCheck implements ServerCheck {
    private static final Logger log = LoggerFactory.getLogger(ElasticsearchCheck.class);

    /** What a server answers everyone, and a collection of OpenSearch Serverless with the permission to describe indexes. */
    private static final String FIRST_QUESTION = "/";

    private static final String FIRST_QUESTION_SERVERLESS = "/_cat/indices";

    private static final String FIRST_REQUEST = "a first request";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(3);

    /** Most destinations of a connector to check, so that the check fits into the time of a validation. */
    private static final int MOST = 50;

    private final ConnectionSettings connection;
    private final IndexSettings index;
    private final DocumentSettings documents;
    private final List<String> names;
    private final ElasticsearchSession session;
    private final ElasticsearchClient client;
    private final String server;

    public ElasticsearchCheck(
            ConnectionSettings connection, IndexSettings index, DocumentSettings documents, List<String> topics) {
        this.connection = requireNonNull(connection, "connection").within(CONNECT_TIMEOUT, READ_TIMEOUT);
        this.index = requireNonNull(index, "index");
        this.documents = requireNonNull(documents, "documents");
        TemplateDestinations destinations = index.destinations();
        this.names = topics.stream()
                .limit(MOST)
                .flatMap(topic -> destinations.destinationOf(topic).stream())
                .distinct()
                .toList();
        this.server = "Elasticsearch at " + connection.nodes();
        this.client = ElasticsearchClient.open(this.connection);
        this.session = new ElasticsearchSession(client, this.connection);
    }

    @Override
    public List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        if (checkNodes(findings)) {
            boolean isServerless = connection.product().isServerless();
            if (!isServerless) {
                checkPrivileges(findings);
            }
            names.forEach(name -> checkIndex(name, findings));
            if (!isServerless) {
                checkPipeline(findings);
            }
        }
        return findings;
    }

    private boolean checkNodes(List<Finding> findings) {
        try {
            Response response = perform(Request.of("GET", firstQuestion()));
            if (!response.isSuccess()) {
                refusal(response).ifPresent(findings::add);
            } else if (!connection.product().isServerless()) {
                logServer(FlatJson.read(response.content()));
            }
        } catch (RequestFailure e) {
            findings.add(unreached(e));
        }
        return findings.isEmpty();
    }

    /** Asks the nodes one after the other until one responds. The client leaves out a node that did not. */
    private Response perform(Request request) throws RequestFailure {
        for (int node = 1; ; node++) {
            try {
                Response response = session.perform(request, FIRST_REQUEST);
                if (!HttpStatus.isOfGateway(response.status())
                        || node == connection.urls().size()) {
                    return response;
                }
            } catch (RequestFailure e) {
                if (node == connection.urls().size()) {
                    throw e;
                }
            }
        }
    }

    private String firstQuestion() {
        return connection.product().isServerless() ? FIRST_QUESTION_SERVERLESS : FIRST_QUESTION;
    }

    private void logServer(Map<String, String> root) {
        log.info(
                "{} is {} {}, cluster {}",
                server,
                root.getOrDefault("/version/distribution", "elasticsearch"),
                root.getOrDefault("/version/number", "of an unknown version"),
                root.getOrDefault("/cluster_name", "without a name"));
    }

    /** What an answer without success says about the settings; empty where the user may only not ask this. */
    private Optional<Finding> refusal(Response response) {
        RequestFailure refused = RequestFailure.of(FIRST_REQUEST, response);
        if (refused.kind() == Verdict.Kind.UNAUTHORIZED) {
            return Optional.of(Finding.wrong(
                    keyOf(connection.credentials()), server + " does not know us: " + refused.getMessage()));
        }
        String message = server + " cannot be used: " + refused.getMessage();
        if (HttpStatus.isTemporary(response.status())) {
            return Optional.of(Finding.unavailable(ConnectionSettings.CONNECTION_URL, message));
        }
        return HttpStatus.isRedirection(response.status())
                ? Optional.of(Finding.wrong(ConnectionSettings.CONNECTION_URL, message))
                : Optional.empty();
    }

    private static String keyOf(Credentials credentials) {
        if (!credentials.provider().isNone()) {
            return CredentialsSettings.PROVIDER;
        }
        return credentials.authorization().isEmpty()
                ? ConnectionSettings.CONNECTION_USERNAME
                : credentials.authorization().get().startsWith("Basic ")
                        ? ConnectionSettings.CONNECTION_PASSWORD
                        : ConnectionSettings.CONNECTION_API_KEY;
    }

    private Finding unreached(RequestFailure failed) {
        if (failed.getCause() instanceof CredentialsException) {
            return Finding.unavailable(
                    CredentialsSettings.PROVIDER,
                    server + " was not asked: " + failed.getCause().getMessage());
        }
        String message = server + " cannot be used: " + failed.getMessage();
        if (failed.failure() != Failure.FATAL) {
            return Finding.unavailable(
                    ConnectionSettings.CONNECTION_URL, message + ". Check host and port, and that the server runs");
        }
        return Finding.wrong(isAboutTrust(failed) ? TlsSettings.SSL_CA : ConnectionSettings.CONNECTION_URL, message);
    }

    private static boolean isAboutTrust(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    /** Source: Elasticsearch guide, "Has privileges API". Every user may ask about their own privileges. */
    private void checkPrivileges(List<Finding> findings) {
        if (names.isEmpty()) {
            return;
        }
        List<String> needed = new ArrayList<>();
        needed.add(documents.writeMethod().isCreate() ? "create_doc" : "index");
        if (documents.mayDelete()) {
            needed.add("delete");
        }
        String body = "{\"index\":[{\"names\":" + array(names) + ",\"privileges\":" + array(needed) + "}]}";
        values(
                        Request.ofJson(
                                "POST",
                                "/_security/user/_has_privileges",
                                Map.of(),
                                body.getBytes(StandardCharsets.UTF_8)),
                        findings)
                .forEach((pointer, granted) -> {
                    String[] steps = pointer.split("/", -1); // the parts: "", index, its name, the privilege
                    if (steps.length == 4 && steps[1].equals("index") && granted.equals("false")) {
                        findings.add(Finding.wrong(
                                ConnectionSettings.CONNECTION_USERNAME,
                                "the user lacks the privilege " + steps[3] + " on " + steps[2] + " of " + server
                                        + ". Grant it in one of the user's roles"));
                    }
                });
    }

    /** A JSON array. Names and privileges contain nothing that must be escaped. */
    private static String array(List<String> texts) {
        return texts.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
    }

    private void checkIndex(String name, List<Finding> findings) {
        Map<String, String> found = values(Request.of("GET", "/_resolve/index/" + Request.inPath(name)), findings);
        if (!documents.writeMethod().isCreate() && name.equals(found.get("/data_streams/0/name"))) {
            findings.add(Finding.wrong(
                    DocumentSettings.WRITE_METHOD,
                    name + " on " + server + " is a data stream, whose documents are only created: set "
                            + DocumentSettings.WRITE_METHOD + "=create"));
        }
    }

    private void checkPipeline(List<Finding> findings) {
        index.pipelineOfAll()
                .filter(pipeline -> !pipeline.equals(IndexSettings.NO_PIPELINE))
                .filter(pipeline -> ask(Request.of("GET", "/_ingest/pipeline/" + Request.inPath(pipeline)), findings)
                        .filter(response -> response.status() == HttpStatus.NOT_FOUND)
                        .isPresent())
                .ifPresent(pipeline -> findings.add(Finding.wrong(
                        IndexSettings.PIPELINE,
                        "there is no ingest pipeline " + pipeline + " on " + server
                                + ". Create it, or name another one")));
    }

    private Map<String, String> values(Request request, List<Finding> findings) {
        return ask(request, findings)
                .filter(Response::isSuccess)
                .map(response -> FlatJson.read(response.content()))
                .orElse(Map.of());
    }

    /** The response; empty when the server does not answer this user. */
    private Optional<Response> ask(Request request, List<Finding> findings) {
        try {
            Response response = perform(request);
            if (response.isSuccess() || response.status() == HttpStatus.NOT_FOUND) {
                return Optional.of(response);
            }
            log.info(
                    "{} could not be asked about {}, which is not checked: {} {}",
                    server,
                    request.path(),
                    response.status(),
                    ServerError.read(response.content()));
        } catch (RequestFailure e) {
            findings.add(unreached(e));
        }
        return Optional.empty();
    }

    @Override
    public Problem waitingFor() {
        return new Problem(ConnectionSettings.CONNECTION_URL, server);
    }

    @Override
    public void close() {
        session.abort();
        try {
            client.close();
        } catch (RuntimeException e) {
            log.debug("A client did not close cleanly", e);
        }
    }
}
