package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Asked;
import io.tidegate.connect.elasticsearch.settings.LogVersion;
import io.tidegate.connect.elasticsearch.settings.VersionSource;
import io.tidegate.connect.elasticsearch.settings.WriteMethod;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.http.ConnectionClosedException;
import org.apache.http.ContentTooLongException;
import org.apache.http.HttpException;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ElasticsearchFailuresTest {
    @ParameterizedTest
    @CsvSource({
        "429, es_rejected_execution_exception, CROWDED",
        "429, circuit_breaking_exception, CROWDED",
        "429, some_exception, CROWDED",
        "429, cluster_block_exception, AGAIN",
        "403, cluster_block_exception, BLOCKED",
        "403, index_create_block_exception, AGAIN",
        "503, unavailable_shards_exception, NO_PRIMARY",
        "503, master_not_discovered_exception, AGAIN",
        "503, process_cluster_event_timeout_exception, AGAIN",
        "500, node_closed_exception, AGAIN",
        "404, shard_not_found_exception, AGAIN",
        "500, some_exception, SERVER_ERROR",
        "502, some_exception, AGAIN",
        "0, '', AGAIN",
        "400, index_closed_exception, CLOSED_INDEX",
        "404, index_not_found_exception, NO_INDEX",
        "400, invalid_index_name_exception, UNUSABLE_INDEX",
        "400, invalid_alias_name_exception, UNUSABLE_INDEX",
        "400, validation_exception, UNUSABLE_INDEX",
        "403, security_exception, UNUSABLE_INDEX",
        "400, routing_missing_exception, TASK",
        "404, document_missing_exception, MISSING",
        "500, fail_processor_exception, MALFORMED",
        "500, find_match, MALFORMED",
        "400, document_parsing_exception, MALFORMED",
        "400, strict_dynamic_mapping_exception, MALFORMED",
        "400, illegal_argument_exception, MALFORMED",
        "413, some_exception, MALFORMED",
        "409, version_conflict_engine_exception, CONFLICT"
    })
    void judgesItems(int status, String type, Verdict.Kind expected) {
        assertThat(ofItem(status, type, "reason").kind()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "404, resource_not_found_exception, Could not find trained model [elser], AGAIN, model",
        "408, status_exception, timeout [10s] waiting for inference result, AGAIN, another service",
        "409, status_exception, Model [elser] must be deployed to use, AGAIN, model",
        "401, status_exception, Received an authentication error from the inference provider, AGAIN, another service",
        "402, status_exception, payment required, AGAIN, another service",
        "403, some_exception, x, AGAIN, license",
        "400, illegal_argument_exception, no write index is defined for alias [tides]., UNUSABLE_INDEX, is_write_index",
        "400, illegal_argument_exception, only write ops with an op_type of create are allowed in data streams,"
                + " UNUSABLE_INDEX, write.method=create",
        "400, illegal_argument_exception, pipeline with id [geo] does not exist, NO_PIPELINE, the setting pipeline",
        "400, illegal_argument_exception, Number of documents in the index can't exceed [2147483519], AGAIN, roll",
        "400, illegal_argument_exception, number of documents in the index cannot exceed 2147483519, AGAIN, roll",
        "400, illegal_argument_exception, index request targeting data stream [t] specifies a custom routing, TASK,"
                + " allow_custom_routing",
        "400, illegal_argument_exception, specifying routing is not supported because the destination index [t] is in"
                + " time series mode, TASK, leave routing empty",
        "400, document_parsing_exception, [1:51] failed to parse: _id must be unset or set to [zX] but was [1] because [ts]"
                + " is in time_series mode, TASK, document.id=none",
        "404, resource_not_found_exception, invalid id [1] for index [ts] in time_series mode, TASK, do not delete",
        "400, illegal_argument_exception, update is not supported because the destination index [ts] is in time_series"
                + " mode, TASK, write.method=create",
        "400, illegal_argument_exception, Document ID is not supported in create/index operation request, TASK,"
                + " opensearch_serverless_time_series"
    })
    void neverBlamesADocumentForItsSurroundings(
            int status, String type, String reason, Verdict.Kind expected, String advice) {
        Verdict verdict = ofItem(status, type, reason);
        assertThat(verdict.kind()).isEqualTo(expected);
        assertThat(verdict.advice()).contains(advice);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE | false | [k]: version conflict, document already exists (current version [1]) | KEPT",
                "INDEX  | true  | [k]: version conflict, current version [7] is higher or equal to the one provided [7] | KEPT",
                "INDEX  | false | [k]: version conflict, current version [7] is higher or equal to the one provided [7] |"
                        + " CONFLICT",
                "INDEX  | true  | [k]: version conflict, current version [17] is higher or equal to the one provided [7] |"
                        + " STALE",
                "DELETE | true  | [k]: version conflict, current version [17] is higher than the one provided [7] | STALE",
                "INDEX  | true  | [current version [7] is higher or equal to the one provided [7]]: version conflict, current"
                        + " version [17] is higher or equal to the one provided [7] | STALE",
                "INDEX  | true  | words that are not known | STALE",
                "UPDATE | false | [k]: version conflict, required seqNo [1], primary term [1] | CONFLICT"
            })
    void aConflictOfVersionsIsWhatMethodAndVersionsMakeOfIt(
            WriteMethod method, boolean versioned, String reason, Verdict.Kind expected) {
        ItemFailure conflict =
                new ItemFailure(0, 409, new ServerError("version_conflict_engine_exception", reason, ""));
        assertThat(ElasticsearchFailures.ofItem(
                                conflict, method, true, versioned ? VersionSource.OFFSET : VersionSource.NONE)
                        .kind())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0, KEPT", "1, KEPT", "1048575, KEPT", "1048576, TASK", "1048576000, TASK"})
    void aConflictWithADocumentOfAnotherLogFailsTheTask(long higher, Verdict.Kind expected) {
        long provided = LogVersion.of(1_717_243_200_000L);
        String reason = "[tides+0+5]: version conflict, current version [" + (provided + higher)
                + "] is higher than the one provided [" + provided + "]";
        ItemFailure conflict =
                new ItemFailure(0, 409, new ServerError("version_conflict_engine_exception", reason, ""));
        assertThat(ElasticsearchFailures.ofItem(conflict, WriteMethod.INDEX, true, VersionSource.LOG)
                        .kind())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(
            value = WriteMethod.class,
            names = {"INDEX", "CREATE", "UPDATE", "UPSERT", "DELETE"})
    void noOtherConflictMeansThatADocumentIsWrittenOrStale(WriteMethod method) {
        for (String type : List.of("status_exception", "", "illegal_state_exception")) {
            ItemFailure cold = new ItemFailure(0, 409, new ServerError(type, "the model is not deployed", ""));
            assertThat(ElasticsearchFailures.ofItem(cold, method, true, VersionSource.OFFSET)
                            .kind())
                    .isEqualTo(Verdict.Kind.AGAIN);
        }
    }

    @Test
    void thereIsNothingToDeleteWithoutAnIndex() {
        ItemFailure item = new ItemFailure(0, 404, new ServerError("index_not_found_exception", "no such index", ""));
        assertThat(ElasticsearchFailures.ofItem(item, WriteMethod.DELETE, true, VersionSource.OFFSET)
                        .kind())
                .isEqualTo(Verdict.Kind.DONE);
    }

    @ParameterizedTest
    @CsvSource({
        "400, '', AGAIN, proxy",
        "400, document_parsing_exception, MALFORMED, ''",
        "400, mapper_parsing_exception, MALFORMED, ''",
        "400, parse_exception, MALFORMED, ''",
        "400, parsing_exception, MALFORMED, ''",
        "400, x_content_parse_exception, MALFORMED, ''",
        "400, json_parse_exception, MALFORMED, ''",
        "400, json_e_o_f_exception, MALFORMED, ''",
        "400, input_coercion_exception, MALFORMED, ''",
        "400, stream_constraints_exception, MALFORMED, ''",
        "400, illegal_argument_exception, TASK, whatever its documents",
        "400, media_type_header_exception, TASK, whatever its documents",
        "400, action_request_validation_exception, TASK, whatever its documents",
        "400, some_exception, TASK, whatever its documents",
        "413, '', TOO_LARGE, batch.max.bytes",
        "401, security_exception, UNAUTHORIZED, connection.username",
        "403, security_exception, FORBIDDEN, privileges",
        "403, '', ELSEWHERE, proxy",
        "403, cluster_block_exception, AGAIN, ''",
        "404, '', ELSEWHERE, connection.url",
        "405, '', ELSEWHERE, proxy",
        "421, '', ELSEWHERE, connection.url",
        "423, '', ELSEWHERE, connection.url",
        "406, some_exception, TASK, connection.url",
        "302, '', ELSEWHERE, connection.url",
        "407, '', ELSEWHERE, proxy.username",
        "417, '', UNANNOUNCED, ''",
        "408, '', LATE, ''",
        "429, '', CROWDED, ''",
        "500, '', AGAIN, ''",
        "502, '', LATE, ''",
        "503, '', LATE, ''",
        "504, '', LATE, ''"
    })
    void judgesAnswersToWholeRequests(int status, String type, Verdict.Kind expected, String advice) {
        Verdict verdict = ofRequest(Asked.REQUEST, status, new ServerError(type, "", ""));
        assertThat(verdict.kind()).isEqualTo(expected);
        assertThat(verdict.in("x")).contains(advice);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "parse_exception | request body is required",
                "action_request_validation_exception | Validation Failed: 1: no requests added;",
                "illegal_argument_exception | The bulk request must be terminated by a newline [\\n]",
                "x_content_parse_exception | [1:2] Illegal character ((CTRL-CHAR, code 31)): only regular white space",
                "json_parse_exception | Illegal character ((CTRL-CHAR, code 31)): only regular white space"
            })
    void aBodyThatDidNotArriveAsItWasSentBlamesNoDocument(String type, String reason) {
        Verdict verdict = ofRequest(Asked.REQUEST, 400, new ServerError(type, reason, ""));
        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.AGAIN);
        assertThat(verdict.advice()).contains("connection.compression=false");
    }

    @ParameterizedTest
    @CsvSource({
        "INDEX, 400, resource_already_exists_exception, index [a/x] already exists, DONE, ''",
        "TEMPLATE, 400, illegal_argument_exception, index template [t] already exists, DONE, ''",
        "INDEX, 400, mapper_parsing_exception, no type, TASK, index.definition.file",
        "TEMPLATE, 400, illegal_argument_exception, the same priority [0], TASK, index.template.file",
        "INDEX, 400, '', '', AGAIN, proxy",
        "TEMPLATE, 400, '', '', AGAIN, proxy",
        "INDEX, 400, validation_exception, Validation Failed: 1: this action would add [2] shards, AGAIN,"
                + " cluster.max_shards_per_node",
        "INDEX, 400, validation_exception, no, UNUSABLE_INDEX, settings",
        "INDEX, 400, invalid_index_name_exception, no, UNUSABLE_INDEX, index.name",
        "INDEX, 403, security_exception, no, UNUSABLE_INDEX, create_index",
        "TEMPLATE, 403, security_exception, no, FORBIDDEN, manage_index_templates",
        "INDEX, 403, index_create_block_exception, no room, AGAIN, room",
        "INDEX, 401, security_exception, no, UNAUTHORIZED, connection.username",
        "INDEX, 503, process_cluster_event_timeout_exception, no, AGAIN, ''"
    })
    void judgesTheCreationOfIndexesAndTemplates(
            Asked asked, int status, String type, String reason, Verdict.Kind expected, String advice) {
        Verdict verdict = ofRequest(asked, status, new ServerError(type, reason, ""));
        assertThat(verdict.kind()).isEqualTo(expected);
        assertThat(verdict.advice()).contains(advice);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "404 | {'ok':false,'message':'Unknown resource.'} | ELSEWHERE | check that the deployment runs",
                "403 | {'Message':'User: anonymous is not authorized to perform: es:ESHttpPost'} | ELSEWHERE | access policy",
                "403 | {'message':'Missing Authentication Token'} | ELSEWHERE | not signed for AWS",
                "403 | {'message':'Signature expired: 20261123'} | UNAUTHORIZED | clock",
                "413 | {'Message':'Request size exceeded 10485760 bytes'} | TOO_LARGE | AWS instance type",
                "429 | 429 Too Many Requests /_bulk | CROWDED | ''",
                "400 | {'ok':false,'message':'unexpected'} | AGAIN | not Elasticsearch's own",
                "407 | '' | ELSEWHERE | check proxy.username and proxy.password",
                "403 | <html>Forbidden</html> | ELSEWHERE | rules of a proxy or firewall"
            })
    void knowsTheAnswersOfGateways(int status, String body, Verdict.Kind expected, String advice) {
        ServerError error = ServerError.read(
                new ByteArrayInputStream(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        Verdict verdict = ofRequest(Asked.REQUEST, status, error);
        assertThat(verdict.kind()).isEqualTo(expected);
        assertThat(verdict.in("x")).contains(advice);
        assertThat(error.type()).isEmpty();
    }

    /** It has the form of the server's own. */
    @Test
    void knowsTheAnswerOfServerlessToACallerWithoutAccess() {
        Verdict verdict = ofRequest(Asked.REQUEST, 403, new ServerError("Forbidden", "403 Forbidden", ""));

        assertThat(verdict.kind()).isEqualTo(Verdict.Kind.UNAUTHORIZED);
        assertThat(verdict.in("x")).contains("aoss:APIAccessAll");
    }

    @Test
    void anIllegalArgumentIsADocumentsFaultOnlyWhereItIsAboutTheBody() {
        assertThat(ofBadRequest("Malformed action/metadata line [3], expected START_OBJECT"))
                .isEqualTo(Verdict.Kind.MALFORMED);
        assertThat(ofBadRequest("request [/_bulk] contains unrecognized parameter: [x]"))
                .isEqualTo(Verdict.Kind.TASK);
    }

    private static Verdict.Kind ofBadRequest(String reason) {
        return ofRequest(Asked.REQUEST, 400, new ServerError("illegal_argument_exception", reason, ""))
                .kind();
    }

    private static Verdict ofItem(int status, String type, String reason) {
        return ElasticsearchFailures.ofItem(
                new ItemFailure(0, status, new ServerError(type, reason, "")),
                WriteMethod.INDEX,
                true,
                VersionSource.NONE);
    }

    private static Verdict ofRequest(Asked asked, int status, ServerError error) {
        return ElasticsearchFailures.ofRequest(
                asked, status, error, !error.type().isEmpty());
    }

    @Test
    void retriesWhileTheServerCannotBeReached() {
        assertThat(classify(new ConnectException("Connection refused"))).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new UnknownHostException("es1"))).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new SocketTimeoutException())).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new IOException("Connection reset by peer"))).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new ConnectionClosedException())).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new TimeoutException())).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new CancellationException())).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new InterruptedException())).isEqualTo(Failure.TRANSIENT);
    }

    /** The server is well: this is no outage and no retry. */
    @Test
    void waitsForAConnectionOfThePool() {
        assertThat(classify(new ConnectionPoolTimeoutException())).isEqualTo(Failure.BUSY);
    }

    @Test
    void retriesAHandshakeThatTheServerLeft() {
        SSLHandshakeException left = new SSLHandshakeException("Remote host terminated the handshake");
        left.initCause(new EOFException());
        assertThat(classify(left)).isEqualTo(Failure.TRANSIENT);
    }

    /** What the provider asks has no trusted certificate; settings of this connector cannot help. */
    @Test
    void retriesWhenAProviderHasNoCredentials() {
        CredentialsException e =
                new CredentialsException("no role", new CertificateException("the server presented x"));
        assertThat(classify(e)).isEqualTo(Failure.TRANSIENT);
        assertThat(ConnectionFailures.describe(e)).isEqualTo("CredentialsException: no role");
    }

    @Test
    void failsWhenTlsCannotWork() {
        SSLHandshakeException untrusted = new SSLHandshakeException("PKIX");
        untrusted.initCause(new CertificateException("the server presented x"));
        assertThat(classify(untrusted)).isEqualTo(Failure.FATAL);
        assertThat(ConnectionFailures.describe(untrusted)).isEqualTo("CertificateException: the server presented x");
        assertThat(classify(new SSLPeerUnverifiedException("name"))).isEqualTo(Failure.FATAL);
        assertThat(classify(new SSLHandshakeException("Received fatal alert: bad_certificate")))
                .isEqualTo(Failure.FATAL);
        assertThat(classify(new SSLException("Unsupported or unrecognized SSL message")))
                .isEqualTo(Failure.FATAL);
        assertThat(classify(new SSLException("Unrecognized SSL message, plaintext connection?")))
                .isEqualTo(Failure.FATAL);
    }

    @Test
    void splitsWhatHasTooLongAnAnswer() {
        assertThat(classify(new ContentTooLongException("too long"))).isEqualTo(Failure.TOO_MUCH);
    }

    @Test
    void anAnswerThatIsNoHttpIsUnreadable() {
        assertThat(ConnectionFailures.of(new HttpException("Invalid header")).kind())
                .isEqualTo(Verdict.Kind.UNREADABLE);
    }

    @Test
    void failsOnWhatItDoesNotKnow() {
        assertThat(classify(new IllegalStateException("I/O reactor status: STOPPED")))
                .isEqualTo(Failure.FATAL);
    }

    private static Failure classify(Throwable failure) {
        return ConnectionFailures.of(failure).kind().ofRequest();
    }
}
