package io.tidegate.connect.elasticsearch.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.ElasticsearchTarget;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.elasticsearch.StubServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ElasticsearchBulkWriterTest {
    private static final String REJECTED =
            "{\"index\":{\"status\":429,\"error\":{\"type\":\"es_rejected_execution_exception\",\"reason\":\"queue full\"}}}";
    private static final String MAPPING =
            "{\"index\":{\"status\":400,\"error\":{\"type\":\"document_parsing_exception\",\"reason\":\"field [level]\"}}}";
    private static final String CONFLICT =
            "{\"index\":{\"status\":409,\"error\":{\"type\":\"version_conflict_engine_exception\",\"reason\":\"[7]: version"
                    + " conflict, current version [3] is higher or equal to the one provided [3]\"}}}";
    private static final String STALE =
            "{\"index\":{\"status\":409,\"error\":{\"type\":\"version_conflict_engine_exception\",\"reason\":\"[secret]:"
                    + " version conflict, current version [9] is higher or equal to the one provided [3]\"}}}";
    private static final String NO_INDEX =
            "{\"index\":{\"status\":404,\"error\":{\"type\":\"index_not_found_exception\",\"reason\":\"no such index\"}}}";
    private static final String FORBIDDEN =
            "{\"index\":{\"status\":403,\"error\":{\"type\":\"security_exception\",\"reason\":\"unauthorized\"}}}";
    private static final String BLOCKED =
            "{\"index\":{\"status\":403,\"error\":{\"type\":\"cluster_block_exception\",\"reason\":\"index [x] blocked\"}}}";
    private static final String NO_PRIMARY =
            "{\"index\":{\"status\":503,\"error\":{\"type\":\"unavailable_shards_exception\","
                    + "\"reason\":\"[red][0] primary shard is not active\"}}}";
    private static final String UNAUTHORIZED =
            "{\"error\":{\"type\":\"security_exception\",\"reason\":\"unable to authenticate user [tide]\"}}";
    private static final String OK = "{\"index\":{\"status\":201}}";

    private final StubServer server = new StubServer();
    private final List<Target> targets = new ArrayList<>();

    @AfterEach
    void close() {
        targets.forEach(Target::close);
        server.close();
        assertThat(ElasticsearchTarget.CLIENTS.openCount()).isZero();
    }

    @Test
    void sendsABatchAsOneBodyOfKnownLength() throws WriteException {
        server.answers(200, StubServer.NO_ERRORS);
        assertThat(writer("connection.username", "tide", "connection.password", "secret", "pipeline", "geo")
                        .write(Documents.numbered("tides", 2)))
                .isEmpty();
        StubServer.Request request = server.requests().get(0);
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.uri())
                .startsWith("/_bulk?")
                .contains("pipeline=geo")
                .contains("filter_path=errors%2Citems.*.status%2Citems.*.error%2Citems.*.failure_store");
        assertThat(request.headers().getFirst("Content-Type"))
                .isEqualTo("application/vnd.elasticsearch+x-ndjson; compatible-with=8");
        assertThat(request.headers().getFirst("Accept"))
                .isEqualTo("application/vnd.elasticsearch+json; compatible-with=8");
        assertThat(request.headers().getFirst("Content-Length")).isEqualTo(Integer.toString(request.body().length));
        assertThat(request.headers().getFirst("Transfer-Encoding")).isNull();
        assertThat(request.headers().getFirst("Authorization")).isEqualTo("Basic dGlkZTpzZWNyZXQ=");
        assertThat(request.text()).isEqualTo("""
                        {"index":{"_index":"tides","_id":"0","version_type":"external","version":0}}
                        {"level":0}
                        {"index":{"_index":"tides","_id":"1","version_type":"external","version":1}}
                        {"level":1}
                        """);
    }

    @Test
    void compressesWhenAsked() throws Exception {
        server.answers(200, StubServer.NO_ERRORS);
        writer("connection.compression", "true").write(Documents.numbered("tides", 100));
        StubServer.Request request = server.requests().get(0);
        assertThat(request.headers().getFirst("Content-Encoding")).isEqualTo("gzip");
        byte[] plain = new GZIPInputStream(new ByteArrayInputStream(request.body())).readAllBytes();
        assertThat(new String(plain, UTF_8)).hasLineCount(200);
    }

    @Test
    void refusesAMalformedRecordBeforeItIsSent() throws WriteException {
        server.answers(200, StubServer.NO_ERRORS);
        Document good = Documents.of("tides", "1", 0, "{}");
        Document bad = Documents.of("tides", "2", 1, "{}\n{\"delete\":{\"_index\":\"tides\",\"_id\":\"1\"}}");
        List<Refusal> refusals = writer().write(List.of(good, bad));
        assertThat(refusals).extracting(Refusal::document).containsExactly(bad);
        assertThat(server.requests().get(0).text()).doesNotContain("delete").hasLineCount(2);
    }

    @Test
    void sendsNothingWhenAllIsMalformed() throws WriteException {
        assertThat(writer().write(List.of(Documents.of("tides", "1", 0, "[]")))).hasSize(1);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void givesBackOnlyTheItemsThatAreToBeWrittenAgain() {
        server.answers(200, items(OK, REJECTED, MAPPING, CONFLICT, REJECTED));
        List<Document> documents = Documents.numbered("tides", 5);
        WriteException e = failure(writer(), documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).containsExactly(documents.get(1), documents.get(4));
        assertThat(e.refusals()).singleElement().satisfies(refusal -> {
            assertThat(refusal.document()).isSameAs(documents.get(2));
            assertThat(refusal.reason())
                    .hasMessage("Elasticsearch refused the document with status 400, document_parsing_exception:"
                            + " field [level], index tides, id 2");
        });
        assertThat(e)
                .hasMessage("2 of 5 documents in a bulk request were not taken, with status 429"
                        + " es_rejected_execution_exception: queue full, index tides");
    }

    @Test
    void refusesOnlyTheItemsThatElasticsearchRefuses() throws WriteException {
        server.answers(200, items(MAPPING, OK));
        List<Document> documents = Documents.numbered("tides", 2);
        assertThat(writer().write(documents)).extracting(Refusal::document).containsExactly(documents.get(0));
    }

    @Test
    void countsAConflictOfVersionsAsWritten() throws WriteException {
        server.answers(200, items(CONFLICT, OK));
        assertThat(writer().write(Documents.numbered("tides", 2))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"warn, 0", "ignore, 0", "dlq, 1"})
    void countsAStaleDocumentAndHasAPolicyForIt(String policy, int refused) throws WriteException {
        server.answers(200, items(STALE, CONFLICT, OK));
        BatchWriter writer = writer("behavior.on.stale.documents", policy);
        assertThat(writer.write(Documents.numbered("tides", 3)))
                .hasSize(refused)
                .allSatisfy(refusal -> assertThat(refusal.reason())
                        .hasMessage("the document is older (version 3) than the one in the index (version 9), index"
                                + " tides"));
        assertThat(count("documents-stale-total")).isEqualTo(1L);
    }

    @Test
    void anOverrideDecidesAboutItemsBeforeThePolicies() {
        server.answers(200, items(STALE, MAPPING, NO_INDEX, BLOCKED, OK));
        List<Document> documents = Documents.numbered("tides", 5);
        String overrides = "version_conflict:dlq, document_parsing:retry, 404:refuse";
        WriteException e = failure(writer("error.overrides", overrides), documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).containsExactly(documents.get(1), documents.get(3));
        assertThat(e.refusals()).extracting(Refusal::document).containsExactly(documents.get(0), documents.get(2));
        assertThat(count("documents-stale-total")).isEqualTo(1L);
    }

    @Test
    void aTypeHasPriorityOverAStatus() {
        server.answers(200, items(STALE));
        WriteException e = failure(
                writer("error.overrides", "409:refuse, Version_Conflict_Engine_Exception:Fail"),
                Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e).hasMessageContaining("error.overrides");
    }

    @Test
    void whatCountsAsWrittenIsNoErrorToOverride() throws WriteException {
        server.answers(200, items(CONFLICT, OK));
        assertThat(writer("error.overrides", "409:fail").write(Documents.numbered("tides", 2)))
                .isEmpty();
    }

    @Test
    void anOverrideOfAWholeRequestRefusesNoDocument() {
        String unknown = "{\"error\":{\"type\":\"illegal_argument_exception\",\"reason\":\"unknown parameter\"}}";
        server.answers(400, unknown)
                .answers(400, unknown)
                .answers(503, "")
                .answers(413, "")
                .answers(400, "{\"error\":{\"type\":\"parse_exception\",\"reason\":\"request body\"}}");
        List<Document> documents = Documents.numbered("tides", 1);

        assertThat(failure(writer("error.overrides", "400:refuse, illegal_argument:refuse"), documents)
                        .failure())
                .isEqualTo(Failure.FATAL);
        assertThat(failure(writer("error.overrides", "illegal_argument:retry"), documents)
                        .failure())
                .isEqualTo(Failure.TRANSIENT);
        assertThat(failure(writer("error.overrides", "503:fail"), documents).failure())
                .isEqualTo(Failure.FATAL);
        assertThat(failure(writer("error.overrides", "413:retry"), documents).failure())
                .isEqualTo(Failure.TRANSIENT);
        assertThat(failure(writer("error.overrides", "parse:fail"), documents).failure())
                .isEqualTo(Failure.FATAL);
    }

    @Test
    void skipsStaleDocumentsUnlessToldOtherwise() throws WriteException {
        server.answers(200, items(STALE, OK));
        assertThat(writer().write(Documents.numbered("tides", 2))).isEmpty();
        assertThat(count("documents-stale-total")).isEqualTo(1L);
    }

    @Test
    void failsOnAStaleDocumentWhenToldSo() {
        server.answers(200, items(OK, STALE));
        WriteException e = failure(writer("behavior.on.stale.documents", "fail"), Documents.numbered("tides", 2));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e)
                .hasMessageContaining("than the one in the index (version 9)")
                .hasMessageContaining("behavior.on.stale.documents=fail")
                .hasMessageNotContaining("secret");
    }

    @Test
    void hasNothingToDeleteInAnIndexThatDoesNotExist() throws WriteException {
        server.answers(200, items(NO_INDEX, OK));
        List<Document> documents = List.of(Documents.delete("tides", "a", 0), Documents.of("tides", "b", 1, "{}"));
        assertThat(writer("behavior.on.null.values", "delete").write(documents)).isEmpty();
    }

    @Test
    void writesNothingToAnIndexThatDoesNotExist() {
        server.answers(200, items(NO_INDEX));
        WriteException e = failure(writer(), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e)
                .hasMessageContaining("create the index")
                .hasMessageContaining("behavior.on.unusable.indexes=fail");
    }

    @Test
    void anUnusableIndexThatARecordNamesConcernsThatRecordOnly() throws WriteException {
        List<Document> documents = Documents.numbered("tides", 3);
        for (String failed : List.of(NO_INDEX, FORBIDDEN)) {
            server.answers(200, items(OK, failed, OK));
            assertThat(writer("index.name", "tides-${header:tenant}").write(documents))
                    .extracting(Refusal::document)
                    .containsExactly(documents.get(1));
        }
        server.answers(200, items(OK, NO_INDEX, OK));
        BatchWriter strict = writer("index.name", "${field:$.index}", "behavior.on.unusable.indexes", "fail");
        assertThat(failure(strict, documents).failure()).isEqualTo(Failure.FATAL);
    }

    private Object count(String metric) {
        return targets.get(targets.size() - 1).metrics().stream()
                .filter(each -> each.name().equals(metric))
                .findFirst()
                .orElseThrow()
                .value()
                .get();
    }

    @Test
    void refusesAConflictThatNoReplayExplains() throws WriteException {
        server.answers(200, items(CONFLICT, OK));
        assertThat(writer("external.version", "none", "behavior.on.version.conflicts", "dlq")
                        .write(Documents.numbered("tides", 2)))
                .hasSize(1);
    }

    @Test
    void oneItemWithoutPrivilegesFailsTheTask() {
        server.answers(200, items(REJECTED, FORBIDDEN, OK));
        WriteException e = failure(writer(), Documents.numbered("tides", 3));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e.unwritten()).hasSize(2);
        assertThat(e).hasMessageContaining("security_exception: unauthorized").hasMessageContaining("privileges");
    }

    @Test
    void namesTheDestinationsThatTakeNothing() {
        server.answers(200, items(OK, BLOCKED, OK, REJECTED, BLOCKED));
        List<Document> documents = List.of(
                Documents.of("good", "1", 0, "{}"),
                Documents.of("blocked", "2", 1, "{}"),
                Documents.of("good", "3", 2, "{}"),
                Documents.of("hot", "4", 3, "{}"),
                Documents.of("blocked", "5", 4, "{}"));
        WriteException e = failure(writer(), documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).containsExactly(documents.get(1), documents.get(3), documents.get(4));
        assertThat(e.destinations()).containsOnlyKeys("blocked", "hot");
        assertThat(e.destinations().get("blocked"))
                .contains("status 403, cluster_block_exception", "behavior.on.blocked.indexes", "index blocked")
                .doesNotContain("secret");
    }

    @Test
    void leavesUntriedWhatWasToFollowARequestThatFailed() {
        server.answers(200, items(BLOCKED, OK));
        List<Document> documents =
                List.of(Documents.of("blocked", "1", 0, "{}"), Documents.of("good", "2", 1, "{}"), largeFor("good"));
        WriteException e = failure(writer("batch.size", "2"), documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).containsExactly(documents.get(0), documents.get(2));
        assertThat(e.destinations()).containsOnlyKeys("blocked");
    }

    private static Document largeFor(String index) {
        return Documents.of(index, "large", 9, "{\"text\":\"" + "x".repeat(1_000) + "\"}");
    }

    @ParameterizedTest
    @CsvSource({"60000, 2000ms", "8000, 1000ms"})
    void tellsTheServerHowLongItMayHoldARequest(String readTimeout, String wait) throws WriteException {
        server.answers(200, StubServer.NO_ERRORS);
        writer("read.timeout.ms", readTimeout).write(Documents.numbered("tides", 1));
        assertThat(server.requests().get(0).uri()).contains("timeout=" + wait);
    }

    @Test
    void doesNotLetTheServerWaitAgainForAPrimaryShardThatIsGone() throws WriteException {
        List<Document> red = List.of(Documents.of("red", "1", 0, "{}"));
        List<Document> good = List.of(Documents.of("good", "2", 1, "{}"));
        server.answers(200, items(NO_PRIMARY)).answers(200, items(OK)).answers(200, items(OK));
        server.answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer();
        failure(writer, red);
        writer.write(good);
        writer.write(red);
        writer.write(red);
        assertThat(server.requests())
                .extracting(request -> request.uri().replaceAll(".*timeout=(\\w+).*", "$1"))
                .containsExactly("2000ms", "2000ms", "100ms", "2000ms");
    }

    @Test
    void doesNotSlowDownForOneDestinationWithoutRoom() throws WriteException {
        List<Document> hot = List.of(Documents.of("hot", "1", 0, "{}"));
        List<Document> both = List.of(hot.get(0), Documents.of("good", "2", 1, "{}"));
        BatchWriter writer = writer("max.in.flight.requests", "4");
        server.answers(200, items(REJECTED, OK)).answers(200, items(REJECTED));
        failure(writer, both);
        failure(writer, hot);
        assertThat(count("bulk-in-flight-limit")).isEqualTo(4);
        server.answers(200, items(OK)).answers(200, items(REJECTED));
        writer.write(hot);
        failure(writer, hot); // nothing says any more that others have room
        assertThat(count("bulk-in-flight-limit")).isEqualTo(2);
        assertThat(count("bulk-rejections-total")).isEqualTo(3L);
    }

    @Test
    void sendsABatchThatWasNotAnsweredInSmallerRequests() throws WriteException {
        List<Document> documents = Documents.numbered("tides", 400);
        BatchWriter writer = writer("read.timeout.ms", "400", "batch.size", "400");
        server.hangs();
        server.answers(200, StubServer.NO_ERRORS).answers(200, StubServer.NO_ERRORS);
        assertThat(failure(writer, documents).failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(writer.write(documents)).isEmpty();
        assertThat(server.requests())
                .extracting(request -> request.text().lines().count())
                .containsExactly(800L, 400L, 400L);
    }

    @ParameterizedTest
    @ValueSource(ints = {502, 503, 504})
    void sendsFewerRequestsAtATimeWhenAProxyGetsNoAnswer(int status) {
        server.answers(status, "");
        failure(writer("max.in.flight.requests", "4"), Documents.numbered("tides", 100));
        assertThat(count("bulk-in-flight-limit")).isEqualTo(2);
        assertThat(count("bulk-rejections-total")).isEqualTo(0L);
    }

    @Test
    void mergesDocumentsOfOneIdInOneRequest() throws WriteException {
        server.answers(200, StubServer.NO_ERRORS);
        List<Document> documents = List.of(
                Documents.of("tides", "a", 0, "{\"x\":1}"),
                Documents.of("tides", "b", 1, "{\"x\":2}"),
                Documents.of("tides", "a", 2, "{\"x\":3}"),
                Documents.of("tides", "a", 3, "{\"x\":4}"));
        assertThat(writer("write.method", "upsert").write(documents)).isEmpty();
        assertThat(server.requests()).singleElement().satisfies(request -> assertThat(request.text())
                .containsSubsequence("\"x\":1", "\"x\":2", "\"x\":3", "\"x\":4")
                .hasLineCount(8));
    }

    @Test
    void sendsDocumentsOfOneIdInRequestsOfTheirOwnWhereTheFirstCounts() throws WriteException {
        server.answers(200, items(OK, OK)).answers(200, items(OK));
        List<Document> documents = List.of(
                Documents.of("tides", "a", 0, "{\"x\":1}"),
                Documents.of("tides", "b", 1, "{\"x\":2}"),
                Documents.of("tides", "a", 2, "{\"x\":3}"));
        assertThat(writer("write.method", "create").write(documents)).isEmpty();
        assertThat(server.requests()).hasSize(2);
        assertThat(server.requests().get(1).text()).contains("\"x\":3").hasLineCount(2);
    }

    @Test
    void mergesAgainWhatOvertookAnItemThatFailed() {
        server.answers(200, items(REJECTED, OK, MAPPING, OK, OK, MAPPING));
        List<Document> documents = List.of(
                Documents.of("tides", "a", 0, "{}"),
                Documents.of("tides", "b", 1, "{}"),
                Documents.of("tides", "c", 2, "{}"),
                Documents.of("tides", "a", 3, "{}"),
                Documents.of("tides", "b", 4, "{}"),
                Documents.of("tides", "a", 5, "{}"));
        WriteException e = failure(writer("write.method", "upsert"), documents);
        assertThat(server.requests()).hasSize(1);
        assertThat(e.unwritten()).containsExactly(documents.get(0), documents.get(3));
        assertThat(e.refusals()).extracting(Refusal::document).containsExactly(documents.get(2), documents.get(5));
    }

    @Test
    void passesOverWhatItIsToldToPassOver() throws WriteException {
        server.answers(200, items(MAPPING, OK));
        List<Document> documents = List.of(
                Documents.of("tides", "1", 0, "{\"level\":\"high\"}"),
                Documents.of("tides", "2", 1, "{}"),
                Documents.of("tides", "3", 2, "no JSON"));
        assertThat(writer("behavior.on.malformed.documents", "ignore").write(documents))
                .isEmpty();
    }

    @Test
    void failsTheTaskWhereItIsToldToFail() {
        server.answers(200, items(MAPPING, REJECTED, OK));
        BatchWriter writer = writer("behavior.on.malformed.documents", "fail");
        WriteException refused = failure(writer, Documents.numbered("tides", 3));
        assertThat(refused.failure()).isEqualTo(Failure.FATAL);
        assertThat(refused.unwritten()).hasSize(2);
        assertThat(refused)
                .hasMessageContaining("status 400, document_parsing_exception")
                .hasMessageContaining("behavior.on.malformed.documents=fail");
        WriteException malformed = failure(writer, List.of(Documents.of("tides", "3", 2, "no JSON")));
        assertThat(malformed.failure()).isEqualTo(Failure.FATAL);
        assertThat(malformed).hasMessageContaining("does not start with");
    }

    @Test
    void tellsOfAnItemThatTheServerNeverTakes() {
        String broken =
                "{\"index\":{\"status\":500,\"error\":{\"type\":\"null_pointer_exception\",\"reason\":\"oh\"}}}";
        List<Document> documents = Documents.numbered("tides", 1);
        BatchWriter patient = writer();
        WriteException last = null;
        for (int attempt = 1; attempt <= 10; attempt++) {
            server.answers(200, items(broken));
            last = failure(patient, documents);
            assertThat(last.failure()).isEqualTo(Failure.DESTINATION);
        }
        assertThat(last)
                .hasMessageContaining("null_pointer_exception: oh")
                .hasMessageContaining("in 10 attempts")
                .hasMessageContaining("see behavior.on.server.errors");
    }

    @Test
    void refusesAnItemThatTheServerNeverTakesWhenToldSo() throws WriteException {
        String broken =
                "{\"index\":{\"status\":500,\"error\":{\"type\":\"null_pointer_exception\",\"reason\":\"oh\"}}}";
        BatchWriter writer = writer("behavior.on.server.errors", "dlq");
        List<Document> documents = Documents.numbered("tides", 2);
        for (int attempt = 1; attempt < 10; attempt++) {
            server.answers(200, items(broken, OK));
            assertThat(failure(writer, documents).unwritten()).containsExactly(documents.get(0));
        }
        server.answers(200, items(broken, OK));
        assertThat(writer.write(documents)).singleElement().satisfies(refusal -> assertThat(refusal.reason())
                .hasMessageContaining("in 10 attempts"));
    }

    @ParameterizedTest
    @CsvSource({"warn, 0", "ignore, 0", "dlq, 1"})
    void hasAPolicyForFailureStores(String policy, int refused) throws WriteException {
        String stored = "{\"create\":{\"status\":201,\"failure_store\":\"used\"}}";
        server.answers(200, "{\"errors\":false,\"items\":[" + stored + "," + OK + "]}");
        BatchWriter writer = writer("write.method", "create", "behavior.on.failure.store", policy);
        assertThat(writer.write(Documents.numbered("tides", 2)))
                .hasSize(refused)
                .allSatisfy(refusal ->
                        assertThat(refusal.reason()).hasMessageContaining("into the failure store of tides"));
    }

    @Test
    void sendsLessAtATimeWhenTheServerHasNoRoom() throws WriteException {
        List<Document> documents = Documents.numbered("tides", 400);
        BatchWriter writer = writer("max.in.flight.requests", "1", "batch.size", "400");
        server.answers(429, "").answers(200, StubServer.NO_ERRORS).answers(200, StubServer.NO_ERRORS);
        assertThat(failure(writer, documents).unwritten()).hasSize(400);
        assertThat(writer.write(documents)).isEmpty();
        assertThat(server.requests()).hasSize(3);
        assertThat(server.requests().get(1).text()).hasLineCount(400);
        assertThat(server.requests().get(2).text()).hasLineCount(400);
    }

    @Test
    void neverSendsAgainWhatProvedTooLarge() throws WriteException {
        Document large = Documents.of("tides", "1", 0, "{\"text\":\"" + "x".repeat(100_000) + "\"}");
        Document other = Documents.of("tides", "2", 1, "{\"text\":\"" + "x".repeat(100_000) + "\"}");
        BatchWriter writer = writer();
        server.answers(413, "").answers(200, StubServer.NO_ERRORS).answers(200, StubServer.NO_ERRORS);
        assertThat(failure(writer, List.of(large, other)).failure()).isEqualTo(Failure.REJECTED);
        assertThat(writer.write(List.of(large, other))).isEmpty();
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void sendsNoMoreThanTheServerSaysThatItTakes() throws WriteException {
        List<Document> documents = List.of(
                Documents.of("tides", "1", 0, "{\"text\":\"" + "x".repeat(200_000) + "\"}"),
                Documents.of("tides", "2", 1, "{\"text\":\"" + "x".repeat(200_000) + "\"}"));
        server.takesBodiesOf(600_000).answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer();
        writer.write(documents.subList(0, 1)); // and learns the limit before
        server.answers(200, StubServer.NO_ERRORS).answers(200, StubServer.NO_ERRORS);
        assertThat(writer.write(documents)).isEmpty();
        assertThat(server.requests()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"401, 3", "503, 3", "403, 2"})
    void asksForTheLimitAgainOnlyWhereTheServerMayTellItLater(int status, int requests) throws WriteException {
        List<Document> documents = List.of(
                Documents.of("tides", "1", 0, "{\"text\":\"" + "x".repeat(200_000) + "\"}"),
                Documents.of("tides", "2", 1, "{\"text\":\"" + "x".repeat(200_000) + "\"}"));
        server.saysNothingOfItsNodes(status);
        BatchWriter writer = writer();
        for (int request = 0; request < 3; request++) {
            server.answers(200, StubServer.NO_ERRORS);
        }
        writer.write(documents.subList(0, 1));
        server.takesBodiesOf(600_000);
        writer.write(documents.subList(0, 1)); // and learns the limit before, if it asks
        server.answers(200, StubServer.NO_ERRORS);
        writer.write(documents);
        assertThat(server.requests()).hasSize(requests + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html>",
                "{\"name\":\"a proxy\"}",
                "{\"nodes\":{\"a\":{\"http\":{\"max_content_length_in_bytes\":\"much\"}}}}",
                "{\"nodes\":{\"a\":{\"http\":{\"max_content_length_in_bytes\":-1}}}}"
            })
    void writesWhateverTheServerSaysOfItsLimit(String answer) throws WriteException {
        server.saysOfItsNodes(answer).answers(200, StubServer.NO_ERRORS);
        assertThat(writer().write(Documents.numbered("tides", 1))).isEmpty();
    }

    @Test
    void trustsNoAnswerThatLeavesItemsOut() {
        server.answers(200, items(OK, MAPPING));
        WriteException e = failure(writer(), Documents.numbered("tides", 3));
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e.unwritten()).hasSize(3);
        assertThat(e).hasMessageContaining("a bulk request of 3 items tells of 2");
    }

    @Test
    void givesUpOnAnswersThatCannotBeReadAfterTenInARow() throws WriteException {
        BatchWriter writer = writer();
        for (int i = 1; i <= 10; i++) {
            server.answers(200, "{\"errors\":true,\"items\":[");
            WriteException e = failure(writer, Documents.numbered("tides", 1));
            assertThat(e.failure()).isEqualTo(i < 10 ? Failure.TRANSIENT : Failure.FATAL);
            assertThat(e).hasMessageContaining("check what stands between the sink and the server");
        }
        server.answers(200, StubServer.NO_ERRORS).answers(200, "<html>");
        writer.write(Documents.numbered("tides", 1));
        assertThat(failure(writer, Documents.numbered("tides", 1)).failure()).isEqualTo(Failure.TRANSIENT);
    }

    @Test
    void honoursRetryAfter() {
        server.answers(429, Map.of("Retry-After", "7"), "");
        WriteException e = failure(writer(), Documents.numbered("tides", 3));
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e.retryAfter()).contains(Duration.ofSeconds(7));
        assertThat(e.unwritten()).hasSize(3);
    }

    @Test
    void sendsABatchToOneNodeOnlyHoweverTheAnswer() {
        server.answers(503, "").answers(200, StubServer.NO_ERRORS);
        String twice = server.url() + ",http://127.0.0.1:" + server.port();
        WriteException e = failure(writer("connection.url", twice), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void goesToTheNextNodeWithTheNextAttempt() throws Exception {
        server.answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer("connection.url", "http://localhost:1," + server.url());
        int failed = 0;
        for (int attempt = 0; attempt < 2 && server.requests().isEmpty(); attempt++) {
            try {
                writer.write(Documents.numbered("tides", 1));
            } catch (WriteException e) {
                assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
                failed++;
            }
        }
        assertThat(server.requests()).hasSize(1);
        assertThat(failed).isLessThan(2);
    }

    @Test
    void leavesSplittingToThePipeline() {
        server.answers(413, "").answers(400, "{\"error\":{\"type\":\"parse_exception\",\"reason\":\"request body\"}}");
        BatchWriter writer = writer();
        WriteException tooLarge = failure(writer, Documents.numbered("tides", 3));
        assertThat(tooLarge.failure()).isEqualTo(Failure.REJECTED);
        assertThat(tooLarge.unwritten()).hasSize(3);
        assertThat(tooLarge).hasMessageContaining("batch.max.bytes");
        WriteException malformed = failure(writer, Documents.numbered("tides", 3));
        assertThat(malformed.failure()).isEqualTo(Failure.REJECTED);
        assertThat(malformed).hasMessageContaining("400 parse_exception: request body");
    }

    @ParameterizedTest
    @CsvSource({"413, ''", "400, '{\"error\":{\"type\":\"parse_exception\",\"reason\":\"request body\"}}'"})
    void aPolicyDecidesAboutADocumentThatIsRefusedAlone(int status, String body) throws WriteException {
        server.answers(status, body).answers(status, body).answers(status, body);
        List<Document> documents = Documents.numbered("tides", 1);

        assertThat(writer().write(documents)).singleElement().satisfies(refusal -> {
            assertThat(refusal.document()).isEqualTo(documents.get(0));
            assertThat(refusal.reason()).hasMessageContaining(Integer.toString(status));
            assertThat(refusal.reason().facts())
                    .containsEntry("kind", "malformed")
                    .containsEntry("index", "tides");
        });
        assertThat(writer("behavior.on.malformed.documents", "warn").write(documents))
                .isEmpty();
        WriteException failed = failure(writer("behavior.on.malformed.documents", "fail"), documents);
        assertThat(failed.failure()).isEqualTo(Failure.FATAL);
        assertThat(failed).hasMessageContaining("(behavior.on.malformed.documents=fail)");
        assertThat(targets).extracting(ElasticsearchBulkWriterTest::malformed).containsExactly(1.0, 1.0, 0.0);
    }

    private static double malformed(Target target) {
        return target.metrics().stream()
                .filter(metric -> metric.name().equals("documents-malformed-total"))
                .mapToDouble(metric -> metric.value().get().doubleValue())
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html><body>Bad Request</body></html>",
                "",
                "{\"message\":\"blocked\"}",
                "{\"error\":\"Your request was blocked\"}"
            })
    void waitsWhileAProxyAnswersInPlaceOfTheServer(String page) {
        server.answers(400, Map.of("Content-Type", "text/html"), page);
        List<Document> documents = Documents.numbered("tides", 1);
        WriteException e = failure(writer(), documents);
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e.unwritten()).isEqualTo(documents);
        assertThat(e.refusals()).isEmpty();
        assertThat(e).hasMessageContaining("not Elasticsearch's own");
    }

    @ParameterizedTest
    @CsvSource({
        "illegal_argument_exception, request [/_bulk] contains unrecognized parameter: [x]",
        "media_type_header_exception, Invalid media-type value on headers [Content-Type]",
        "action_request_validation_exception, Validation Failed: 1: no requests added;"
    })
    void aRequestThatIsAtFaultItselfStopsTheTask(String type, String reason) {
        server.answers(400, "{\"error\":{\"type\":\"" + type + "\",\"reason\":\"" + reason + "\"}}");
        WriteException e = failure(writer(), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e.refusals()).isEmpty();
        assertThat(e).hasMessageContaining(type).hasMessageContaining("whatever its documents");
    }

    @Test
    void goesOnForAWhileWhenNobodyIsLetIn() throws WriteException {
        server.answers(401, UNAUTHORIZED).answers(401, UNAUTHORIZED).answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer();
        for (int attempt = 0; attempt < 2; attempt++) {
            WriteException e = failure(writer, Documents.numbered("tides", 1));
            assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
            assertThat(e)
                    .hasMessageContaining("401 security_exception: unable to authenticate user [tide]")
                    .hasMessageEndingWith("if this goes on for longer than unauthorized.retry.ms=30000 the task fails");
        }
        assertThat(writer.write(Documents.numbered("tides", 1))).isEmpty();
    }

    @Test
    void saysWhatToChangeWhenThePasswordIsWrong() {
        server.answers(401, UNAUTHORIZED);
        WriteException e = failure(writer("unauthorized.retry.ms", "0"), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e)
                .hasMessageContaining("401 security_exception: unable to authenticate user [tide]")
                .hasMessageContaining("connection.username");
    }

    @Test
    void doesNotTalkToOtherProducts() {
        server.answers(200, Map.of("X-Elastic-Product", "Another"), StubServer.NO_ERRORS);
        WriteException e = failure(writer(), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e).hasMessageContaining("X-Elastic-Product").hasMessageContaining("connection.url");
    }

    @Test
    void speaksToOpenSearchInItsOwnWords() throws WriteException {
        server.isOpenSearch().answers(200, "{\"errors\":false,\"items\":[" + OK + "]}");
        BatchWriter writer = writer("destination.type", "data_stream", "write.method", "create", "key.ignore", "true");
        assertThat(writer.write(List.of(Documents.timed("tides", 0, "{}")))).isEmpty();
        StubServer.Request request = server.requests().get(0);
        assertThat(request.headers().getFirst("Content-Type")).isEqualTo("application/x-ndjson");
        assertThat(request.headers().getFirst("Accept")).isEqualTo("application/json");
        assertThat(request.uri()).doesNotContain("require_data_stream");
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404, 302})
    void takesARefusalForNoProduct(int status) throws WriteException {
        server.isOpenSearch()
                .answersWhatItIsWith(status)
                .saysNothingOfItsNodes(401)
                .answers(401, "Unauthorized");
        BatchWriter writer = writer();
        assertThat(failure(writer, Documents.numbered("tides", 1)).failure()).isEqualTo(Failure.TRANSIENT);
        server.answersWhatItIsWith(200).answers(200, "{\"errors\":false,\"items\":[" + OK + "]}");
        assertThat(writer.write(Documents.numbered("tides", 1))).isEmpty();
        assertThat(server.requests().get(1).headers().getFirst("Content-Type")).isEqualTo("application/x-ndjson");
    }

    @Test
    void sendsNothingInAnyLanguageWhileTheCredentialsAreRefused() throws WriteException {
        server.isOpenSearch().answersWhatItIsWith(401);
        BatchWriter writer = writer();
        WriteException refused = failure(writer, Documents.numbered("tides", 1));
        assertThat(refused.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(refused).hasMessageContaining("401").hasMessageContaining("connection.username");
        assertThat(server.requests()).isEmpty();
        server.answersWhatItIsWith(200).answers(200, "{\"errors\":false,\"items\":[" + OK + "]}");
        assertThat(writer.write(Documents.numbered("tides", 1))).isEmpty();
        assertThat(server.requests().get(0).headers().getFirst("Content-Type")).isEqualTo("application/x-ndjson");
    }

    @Test
    void writesToElasticsearchThatDoesNotSayWhatItIs() throws WriteException {
        server.answersWhatItIsWith(403).answers(200, StubServer.NO_ERRORS);
        assertThat(writer().write(Documents.numbered("tides", 1))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 403, 404})
    void goesOnForAWhileWhenAProxyClosesThePathToTheServer(int status) throws WriteException {
        server.answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer();
        writer.write(Documents.numbered("tides", 1));
        server.isOpenSearch() // that is, without a product header
                .answers(status, Map.of("Content-Type", "text/html"), "<html>")
                .answers(status, "{\"error\":{\"type\":\"security_exception\",\"reason\":\"no\"}}");
        WriteException proxy = failure(writer, Documents.numbered("tides", 1));
        assertThat(proxy.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(proxy).hasMessageContaining("unauthorized.retry.ms");
        assertThat(failure(writer, Documents.numbered("tides", 1)).failure()).isEqualTo(Failure.FATAL);
    }

    @Test
    void goesOnForAWhileWhenSomethingElseAnswersAfterTheServerDid() throws WriteException {
        server.answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer();
        writer.write(Documents.numbered("tides", 1));
        server.answers(200, Map.of("X-Elastic-Product", "Another"), StubServer.NO_ERRORS);
        WriteException e = failure(writer, Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e).hasMessageContaining("X-Elastic-Product").hasMessageContaining("unauthorized.retry.ms");
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 403, 404})
    void failsAtOnceWhenTheFirstAnswerOfAllIsAProxys(int status) {
        server.isOpenSearch().answers(status, Map.of("Content-Type", "text/html"), "<html>");
        assertThat(failure(writer(), Documents.numbered("tides", 1)).failure()).isEqualTo(Failure.FATAL);
    }

    @Test
    void anUnreachableServerIsAnOutage() {
        WriteException e = failure(writer("connection.url", "http://localhost:1"), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e).hasMessageContaining("ConnectException");
    }

    @Test
    void aServerThatDoesNotAnswerIsAnOutage() {
        server.hangs();
        WriteException e = failure(writer("read.timeout.ms", "200"), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e).hasMessageContaining("SocketTimeoutException");
    }

    @Test
    void announcesABodyAfterARequestThatBrokeOffUntilOneIsTaken() throws WriteException {
        server.hangs();
        server.answers(200, StubServer.NO_ERRORS).answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer("read.timeout.ms", "500");
        List<Document> documents = Documents.numbered("tides", 1);
        failure(writer, documents);
        writer.write(documents);
        writer.write(documents);
        assertThat(server.requests())
                .extracting(request -> Optional.ofNullable(request.headers().getFirst("Expect")))
                .containsExactly(Optional.empty(), Optional.of("100-continue"), Optional.empty());
    }

    @Test
    void abortBreaksOffTheRequestAndLeavesTheWriterUsable() throws Exception {
        CountDownLatch arrived = server.hangs();
        server.answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer();
        CompletableFuture<WriteException> broken =
                CompletableFuture.supplyAsync(() -> failure(writer, Documents.numbered("tides", 1)));
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        writer.abort();
        assertThat(broken.get(5, TimeUnit.SECONDS).failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(writer.write(Documents.numbered("tides", 1))).isEmpty();
    }

    @Test
    void createsAnIndexThatDoesNotExistOnceAndBeforeTheFirstWrite(@TempDir Path folder) throws Exception {
        server.answers(404, "").answers(200, "{\"acknowledged\":true}");
        server.answers(200, StubServer.NO_ERRORS).answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer("index.definition.file", definition(folder));
        writer.write(Documents.numbered("tides", 1));
        writer.write(Documents.numbered("tides", 1));
        assertThat(server.requests())
                .extracting(StubServer.Request::method)
                .containsExactly("HEAD", "PUT", "POST", "POST");
        assertThat(server.requests().get(1).uri()).isEqualTo("/tides");
        assertThat(server.requests().get(1).text()).isEqualTo("{\"mappings\":{}}");
    }

    @Test
    void leavesAnIndexThatExists(@TempDir Path folder) throws Exception {
        server.answers(200, "").answers(200, StubServer.NO_ERRORS);
        writer("index.definition.file", definition(folder)).write(Documents.numbered("tides", 1));
        assertThat(server.requests()).extracting(StubServer.Request::method).containsExactly("HEAD", "POST");
    }

    @Test
    void doesNotMindThatAnotherTaskCreatesTheIndex(@TempDir Path folder) throws Exception {
        server.answers(404, "").answers(400, "{\"error\":{\"type\":\"resource_already_exists_exception\"}}");
        server.answers(200, StubServer.NO_ERRORS);
        assertThat(writer("index.definition.file", definition(folder)).write(Documents.numbered("tides", 1)))
                .isEmpty();
    }

    @Test
    void anIndexThatCannotBeCreatedNowDoesNotHoldUpOthers(@TempDir Path folder) throws Exception {
        server.answers(200, "") // the question whether `good` exists
                .answers(404, "")
                .answers(403, "{\"error\":{\"type\":\"index_create_block_exception\",\"reason\":\"no room\"}}");
        List<Document> documents = List.of(Documents.of("good", "1", 0, "{}"), Documents.of("new", "2", 1, "{}"));
        WriteException e = failure(writer("index.definition.file", definition(folder)), documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).isEqualTo(documents);
        assertThat(e.destinations()).containsOnlyKeys("new");
        assertThat(e).hasMessageContaining("the creation of index new").hasMessageContaining("no room");
    }

    @Test
    void failsOnADefinitionThatElasticsearchRefuses(@TempDir Path folder) throws Exception {
        server.answers(404, "")
                .answers(400, "{\"error\":{\"type\":\"mapper_parsing_exception\",\"reason\":\"no type\"}}");
        WriteException e = failure(writer("index.definition.file", definition(folder)), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e)
                .hasMessage("the creation of index tides was answered with 400 mapper_parsing_exception: no type;"
                        + " correct the file that index.definition.file names");
    }

    @Test
    void anIndexThatCannotBeCreatedConcernsItsDocumentsOnly(@TempDir Path folder) throws Exception {
        String refused = "{\"error\":{\"type\":\"invalid_index_name_exception\",\"reason\":\"no\"}}";
        List<Document> documents = List.of(
                Documents.of("bad", "a", 0, "{}"),
                Documents.of("good", "b", 1, "{}"),
                Documents.of("bad", "c", 2, "{}"));
        server.answers(404, "").answers(400, refused).answers(404, "").answers(200, "{}");
        server.answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer("index.definition.file", definition(folder), "index.name", "${header:index}");
        List<Refusal> refusals = writer.write(documents);
        assertThat(refusals).extracting(Refusal::document).containsExactly(documents.get(0), documents.get(2));
        assertThat(refusals.get(0).reason())
                .hasMessageContaining("the creation of index bad was answered with 400 invalid_index_name_exception");
        assertThat(server.requests().get(4).text()).contains("good").doesNotContain("bad");

        assertThat(writer.write(documents.subList(0, 1)))
                .as("without another question")
                .hasSize(1);
        assertThat(server.requests()).hasSize(5);
    }

    @Test
    void doesNotTakeAnIndexInThePlaceOfAnAliasForADeletedOne(@TempDir Path folder) throws Exception {
        String noAlias =
                "{\"index\":{\"status\":404,\"error\":{\"type\":\"index_not_found_exception\",\"reason\":\"no such"
                        + " index [tides] and [require_alias] request flag is [true] and [tides] is not an alias\"}}}";
        server.answers(200, "").answers(200, items(noAlias));
        WriteException e = failure(
                writer("index.definition.file", definition(folder), "destination.type", "alias"),
                Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
    }

    @Test
    void whatIsRetriedForItsIndexIsGivenBackWithWhatElseFailed(@TempDir Path folder) throws Exception {
        String refused = "{\"error\":{\"type\":\"security_exception\",\"reason\":\"no\"}}";
        List<Document> documents = List.of(
                Documents.of("good", "a", 0, "{}"),
                Documents.of("bad", "b", 1, "{}"),
                Documents.of("good", "c", 2, "{}"));
        server.answers(404, "").answers(200, "{}").answers(403, "").answers(403, refused);
        server.answers(200, items(OK, REJECTED));
        WriteException e = failure(
                writer("index.definition.file", definition(folder), "behavior.on.unusable.indexes", "retry"),
                documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.destinations()).containsOnlyKeys("bad", "good");
        assertThat(e.unwritten()).containsExactly(documents.get(1), documents.get(2));
    }

    @Test
    void failsWhereTheTopicNamesAnIndexThatCannotBeCreated(@TempDir Path folder) throws Exception {
        server.answers(404, "").answers(403, "{\"error\":{\"type\":\"security_exception\",\"reason\":\"no\"}}");
        server.answers(200, StubServer.NO_ERRORS);
        WriteException e = failure(
                writer("index.definition.file", definition(folder)),
                List.of(Documents.of("bad", "a", 0, "{}"), Documents.of("bad", "b", 1, "{}")));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e.unwritten()).hasSize(2);
        assertThat(e).hasMessageContaining("behavior.on.unusable.indexes=fail").hasMessageContaining("privileges");
    }

    @Test
    void createsAnIndexAgainThatWasDeleted(@TempDir Path folder) throws Exception {
        server.answers(200, "").answers(200, items(NO_INDEX));
        BatchWriter writer = writer("index.definition.file", definition(folder));
        WriteException e = failure(writer, Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e).hasMessageContaining("the index was deleted");
        server.answers(404, "").answers(200, "{}").answers(200, StubServer.NO_ERRORS);
        assertThat(writer.write(e.unwritten())).isEmpty();
        assertThat(server.requests())
                .extracting(StubServer.Request::method)
                .containsExactly("HEAD", "POST", "HEAD", "PUT", "POST");
    }

    @Test
    void severalLanesMayFindThatAnIndexWasDeleted(@TempDir Path folder) throws Exception {
        IndexDefinition definition = IndexDefinition.read("index.definition.file", Path.of(definition(folder)));
        IndexCreator creator = new IndexCreator(Optional.of(definition), Clock.SYSTEM);
        assertThat(creator.forget("tides")).isTrue();
        assertThat(creator.forget("tides")).isTrue();
        assertThat(new IndexCreator(Optional.empty(), Clock.SYSTEM).forget("tides"))
                .isFalse();
    }

    private static String definition(Path folder) throws IOException {
        return Files.writeString(folder.resolve("index.json"), "{\"mappings\":{}}")
                .toString();
    }

    private static String items(String... items) {
        return "{\"errors\":true,\"items\":[" + String.join(",", items) + "]}";
    }

    private static WriteException failure(BatchWriter writer, List<Document> documents) {
        return catchThrowableOfType(WriteException.class, () -> writer.write(documents));
    }

    private BatchWriter writer(String... settings) {
        Map<String, String> props = new HashMap<>(Map.of("connection.url", server.url()));
        for (int i = 0; i < settings.length; i += 2) {
            props.put(settings[i], settings[i + 1]);
        }
        Target target = new ElasticsearchTargetType().open(props);
        targets.add(target);
        return target.openWriter(0);
    }
}
