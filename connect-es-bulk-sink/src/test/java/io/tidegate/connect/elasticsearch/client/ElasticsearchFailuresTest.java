package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.credentials.CredentialsException;
import io.tidegate.connect.common.document.FieldDefaults;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.EventTime;
import io.tidegate.connect.elasticsearch.settings.FailureClass;
import io.tidegate.connect.elasticsearch.settings.IdSource;
import io.tidegate.connect.elasticsearch.settings.RoutingSource;
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
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.http.ConnectionClosedException;
import org.apache.http.ContentTooLongException;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ElasticsearchFailuresTest {
    @ParameterizedTest
    @CsvSource({
        "429, es_rejected_execution_exception, TRANSIENT",
        "429, circuit_breaking_exception, TRANSIENT",
        "429, cluster_block_exception, TRANSIENT",
        "403, cluster_block_exception, TRANSIENT",
        "503, unavailable_shards_exception, TRANSIENT",
        "500, some_exception, TRANSIENT",
        "400, document_parsing_exception, REJECTED",
        "400, mapper_parsing_exception, REJECTED",
        "400, strict_dynamic_mapping_exception, REJECTED",
        "400, illegal_argument_exception, REJECTED",
        "409, version_conflict_engine_exception, REJECTED",
        "413, some_exception, REJECTED",
        "403, security_exception, FATAL",
        "404, index_not_found_exception, FATAL",
        "400, index_closed_exception, FATAL",
        "400, invalid_index_name_exception, FATAL",
        "400, validation_exception, FATAL",
        "404, document_missing_exception, REJECTED",
        "0, '', TRANSIENT"
    })
    void judgesItems(int status, String type, Failure expected) {
        ServerError error = new ServerError(type, "reason", "");
        assertThat(ElasticsearchFailures.ofItem(status, error).failure()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "403, index_create_block_exception, blocked by: [FORBIDDEN/10/cluster create-index blocked (api)], TRANSIENT, room",
        "400, illegal_argument_exception, no write index is defined for alias [tides]., FATAL, is_write_index",
        "400, illegal_argument_exception, only write ops with an op_type of create are allowed in data streams, FATAL,"
                + " write.method=create",
        "400, illegal_argument_exception, Number of documents in the index can't exceed [2147483519], TRANSIENT, roll",
        "400, illegal_argument_exception, number of documents in the index cannot exceed 2147483519, TRANSIENT, roll",
        "400, routing_missing_exception, routing is required for [tides]/[a], FATAL, set routing",
        "400, illegal_argument_exception, index request targeting data stream [t] specifies a custom routing, FATAL,"
                + " allow_custom_routing",
        "400, illegal_argument_exception, specifying routing is not supported because the destination index [t] is in"
                + " time series mode, FATAL, leave routing empty",
        "404, shard_not_found_exception, no such shard, TRANSIENT, ''",
        "403, some_exception, x, FATAL, privileges",
        "404, some_exception, x, FATAL, on the server",
        "405, some_exception, x, FATAL, on the server",
        "401, some_exception, x, FATAL, on the server"
    })
    void neverBlamesADocumentForItsSurroundings(
            int status, String type, String reason, Failure expected, String advice) {
        ItemFailure item = new ItemFailure(0, status, new ServerError(type, reason, ""));
        ElasticsearchFailures.Classification classification = ElasticsearchFailures.ofItem(status, item.error());
        assertThat(classification.failure()).isEqualTo(expected);
        assertThat(classification.advice()).contains(advice);
        assertThat(ElasticsearchFailures.classOf(item, settings(WriteMethod.INDEX, false)))
                .isNotEqualTo(Optional.of(FailureClass.MALFORMED));
    }

    @Test
    void aMissingPipelineIsNotTheDocumentsFault() {
        ServerError error = new ServerError("illegal_argument_exception", "pipeline with id [geo] does not exist", "");
        assertThat(ElasticsearchFailures.ofItem(400, error).failure()).isEqualTo(Failure.FATAL);
        assertThat(ElasticsearchFailures.ofItem(400, error).advice()).contains("the setting pipeline");
    }

    @ParameterizedTest
    @CsvSource({
        "400, document_parsing_exception, x, MALFORMED",
        "413, some_exception, x, MALFORMED",
        "500, fail_processor_exception, no station, MALFORMED",
        "409, version_conflict_engine_exception, x, CONFLICT",
        "404, document_missing_exception, x, MISSING",
        "403, cluster_block_exception, x, BLOCKED",
        "400, illegal_argument_exception, pipeline with id [geo] does not exist, PIPELINE",
        "500, some_exception, x, SERVER_ERROR",
        "403, security_exception, x, INDEX",
        "404, index_not_found_exception, x, INDEX",
        "400, index_closed_exception, x, INDEX",
        "400, invalid_index_name_exception, x, INDEX",
        "400, invalid_alias_name_exception, x, INDEX",
        "400, illegal_argument_exception, no write index is defined for alias [x], INDEX",
        "400, illegal_argument_exception, only write ops with an op_type of create are allowed in data streams, INDEX"
    })
    void sortsItemsIntoTheClassesThatHaveAPolicy(int status, String type, String reason, FailureClass expected) {
        assertThat(ElasticsearchFailures.classOf(
                        new ItemFailure(0, status, new ServerError(type, reason, "")),
                        settings(WriteMethod.INDEX, false)))
                .contains(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "429, es_rejected_execution_exception",
        "429, cluster_block_exception",
        "503, unavailable_shards_exception",
        "500, node_closed_exception",
        "502, some_exception"
    })
    void leavesToTimeOrAHumanWhatNoPolicyCanDecide(int status, String type) {
        assertThat(ElasticsearchFailures.classOf(
                        new ItemFailure(0, status, new ServerError(type, "", "")), settings(WriteMethod.INDEX, false)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "400, '', TRANSIENT, proxy",
        "400, document_parsing_exception, REJECTED, ''",
        "400, mapper_parsing_exception, REJECTED, ''",
        "400, parse_exception, REJECTED, ''",
        "400, parsing_exception, REJECTED, ''",
        "400, x_content_parse_exception, REJECTED, ''",
        "400, json_parse_exception, REJECTED, ''",
        "400, json_e_o_f_exception, REJECTED, ''",
        "400, input_coercion_exception, REJECTED, ''",
        "400, stream_constraints_exception, REJECTED, ''",
        "400, illegal_argument_exception, FATAL, whatever its documents",
        "400, media_type_header_exception, FATAL, whatever its documents",
        "400, action_request_validation_exception, FATAL, whatever its documents",
        "400, some_exception, FATAL, whatever its documents",
        "413, '', REJECTED, batch.max.bytes",
        "401, security_exception, FATAL, connection.username",
        "403, '', FATAL, privileges",
        "403, cluster_block_exception, TRANSIENT, ''",
        "404, '', FATAL, connection.url",
        "406, '', FATAL, connection.url",
        "302, '', FATAL, connection.url",
        "408, '', TRANSIENT, ''",
        "429, '', TRANSIENT, ''",
        "500, '', TRANSIENT, ''",
        "502, '', TRANSIENT, ''",
        "503, '', TRANSIENT, ''",
        "504, '', TRANSIENT, ''"
    })
    void judgesAnswersToWholeRequests(int status, String type, Failure expected, String advice) {
        ElasticsearchFailures.Classification classification =
                ElasticsearchFailures.ofRequest(status, new ServerError(type, "", ""));
        assertThat(classification.failure()).isEqualTo(expected);
        assertThat(classification.in("x")).contains(advice);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "404 | {'ok':false,'message':'Unknown resource.'} | FATAL | check that the deployment runs",
                "403 | {'Message':'User: anonymous is not authorized to perform: es:ESHttpPost'} | FATAL | access policy",
                "403 | {'message':'Missing Authentication Token'} | FATAL | not signed for AWS",
                "413 | {'Message':'Request size exceeded 10485760 bytes'} | REJECTED | AWS instance type",
                "429 | 429 Too Many Requests /_bulk | TRANSIENT | ''",
                "400 | {'ok':false,'message':'unexpected'} | TRANSIENT | not Elasticsearch's own",
                "407 | '' | FATAL | check proxy.username and proxy.password",
                "403 | <html>Forbidden</html> | FATAL | rules of a proxy or firewall"
            })
    void knowsTheAnswersOfGateways(int status, String body, Failure expected, String advice) {
        ServerError error = ServerError.read(
                new ByteArrayInputStream(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
        ElasticsearchFailures.Classification classification = ElasticsearchFailures.ofRequest(status, error);
        assertThat(classification.failure()).isEqualTo(expected);
        assertThat(classification.in("x")).contains(advice);
        assertThat(error.type()).isEmpty();
    }

    @Test
    void anIllegalArgumentIsADocumentsFaultOnlyWhereItIsAboutTheBody() {
        assertThat(ofBadRequest("Malformed action/metadata line [3], expected START_OBJECT"))
                .isEqualTo(Failure.REJECTED);
        assertThat(ofBadRequest("request [/_bulk] contains unrecognized parameter: [x]"))
                .isEqualTo(Failure.FATAL);
    }

    private static Failure ofBadRequest(String reason) {
        return ElasticsearchFailures.ofRequest(400, new ServerError("illegal_argument_exception", reason, ""))
                .failure();
    }

    @Test
    void retriesWhileTheServerCannotBeReached() {
        assertThat(classify(new ConnectException("Connection refused"))).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new UnknownHostException("es1"))).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new SocketTimeoutException())).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new IOException("Connection reset by peer"))).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new ConnectionClosedException())).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new ConnectionPoolTimeoutException())).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new TimeoutException())).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new CancellationException())).isEqualTo(Failure.TRANSIENT);
        assertThat(classify(new InterruptedException())).isEqualTo(Failure.TRANSIENT);
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
        assertThat(classify(new ContentTooLongException("too long"))).isEqualTo(Failure.REJECTED);
    }

    @Test
    void failsOnWhatItDoesNotKnow() {
        assertThat(classify(new IllegalStateException("I/O reactor status: STOPPED")))
                .isEqualTo(Failure.FATAL);
    }

    @Test
    void aConflictMeansWrittenWhereAReplayCanConflict() {
        ItemFailure conflict =
                conflict("[k]: version conflict, current version [7] is higher or equal to the one provided [7]");
        assertThat(ElasticsearchFailures.isAlreadyWritten(
                        conflict, WriteMethod.CREATE, settings(WriteMethod.CREATE, false)))
                .isTrue();
        assertThat(ElasticsearchFailures.isAlreadyWritten(
                        conflict, WriteMethod.INDEX, settings(WriteMethod.INDEX, true)))
                .isTrue();
        assertThat(ElasticsearchFailures.isAlreadyWritten(
                        conflict, WriteMethod.INDEX, settings(WriteMethod.INDEX, false)))
                .isFalse();
        ItemFailure parsing = new ItemFailure(0, 400, ServerError.NONE);
        assertThat(ElasticsearchFailures.isAlreadyWritten(
                        parsing, WriteMethod.CREATE, settings(WriteMethod.CREATE, false)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[k]: version conflict, current version [17] is higher or equal to the one provided [7]",
                "[k]: version conflict, current version [17] is higher than the one provided [7]",
                "[current version [7] is higher or equal to the one provided [7]]: version conflict, current version [17]"
                        + " is higher or equal to the one provided [7]",
                "words that are not known"
            })
    void aConflictWithALaterVersionIsStale(String reason) {
        ItemFailure conflict = conflict(reason);
        DocumentSettings settings = settings(WriteMethod.INDEX, true);
        assertThat(ElasticsearchFailures.isAlreadyWritten(conflict, WriteMethod.INDEX, settings))
                .isFalse();
        assertThat(ElasticsearchFailures.classOf(conflict, settings)).contains(FailureClass.STALE);
    }

    private static ItemFailure conflict(String reason) {
        return new ItemFailure(0, 409, new ServerError("version_conflict_engine_exception", reason, ""));
    }

    private static DocumentSettings settings(WriteMethod method, boolean externalVersion) {
        return new DocumentSettings(
                IdSource.KEY,
                NullValues.FAIL,
                method,
                Optional.empty(),
                externalVersion ? VersionSource.OFFSET : VersionSource.NONE,
                RoutingSource.ID,
                List.of(),
                new EventTime(List.of(), EventTime.Unit.MILLIS, EventTime.Otherwise.TIMESTAMP),
                FieldDefaults.IGNORED,
                false);
    }

    private static Failure classify(Throwable failure) {
        return ConnectionFailures.of(failure).failure();
    }
}
