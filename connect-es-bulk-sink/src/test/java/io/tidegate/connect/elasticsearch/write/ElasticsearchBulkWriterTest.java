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
import io.tidegate.connect.elasticsearch.DeliveredWriter;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.ElasticsearchTarget;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.elasticsearch.StubServer;
import io.tidegate.connect.elasticsearch.client.ElasticsearchFailures.Asked;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
import java.util.stream.IntStream;
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
    private static final String BROKEN =
            "{\"index\":{\"status\":500,\"error\":{\"type\":\"null_pointer_exception\",\"reason\":\"oh\"}}}";
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
        assertThat(request.headers().getFirst("Content-Type")).isEqualTo("application/x-ndjson");
        assertThat(request.headers().getFirst("Accept")).isEqualTo("application/json");
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
                .hasMessage("Elasticsearch refused the document with status 429,"
                        + " es_rejected_execution_exception: queue full, index tides, id 1");
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
        BatchWriter writer = writer("behavior.on.version.conflicts", policy);
        assertThat(writer.write(Documents.numbered("tides", 3)))
                .hasSize(refused)
                .allSatisfy(refusal -> assertThat(refusal.reason())
                        .hasMessage("the document is older (version 3) than the one in the index (version 9), index"
                                + " tides"));
        assertThat(count("documents-stale-document-total")).isEqualTo(1L);
        assertThat(writer.kept()).isEqualTo(2 - refused); // the other one is its own from an earlier attempt
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
        assertThat(count("documents-stale-document-total")).isEqualTo(1L);
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
                .answers(400, "{\"error\":{\"type\":\"parse_exception\",\"reason\":\"request body\"}}")
                .answers(200, items(OK));
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
                .isEqualTo(Failure.DESTINATION);
        assertThat(failure(writer("error.overrides", "parse:fail"), documents).failure())
                .isEqualTo(Failure.FATAL);
    }

    /** With a pipeline a request may have two documents of an id, and the later one may be written first. */
    @ParameterizedTest
    @CsvSource({"1, 0", "9, 1"})
    void aDocumentThatItsFollowerOvertookIsNotStale(int versionInTheIndex, int refused) throws WriteException {
        String overtaken = STALE.replace("[9]", "[" + versionInTheIndex + "]").replace("provided [3]", "provided [0]");
        String written = CONFLICT.replace("[3]", "[1]");
        server.answers(200, items(REJECTED, OK)).answers(200, items(overtaken, written));
        BatchWriter writer = writer("pipeline", "geo", "behavior.on.version.conflicts", "dlq");
        List<Document> documents = List.of(Documents.of("tides", "a", 0, "{}"), Documents.of("tides", "a", 1, "{}"));

        assertThat(failure(writer, documents).unwritten()).isEqualTo(documents);
        assertThat(writer.write(documents)).hasSize(refused);
        assertThat(count("documents-stale-document-total")).isEqualTo((long) refused);
        assertThat(writer.kept()).isEqualTo(2 - refused);
    }

    /** An index of a time series makes ids of dimensions and time: another document may have the same ones. */
    @ParameterizedTest
    @CsvSource({
        "behavior.on.version.conflicts, retry, SKIPPED",
        "behavior.on.version.conflicts, dlq, REJECTED",
        "error.overrides, version_conflict:dlq, REJECTED"
    })
    void aConflictWithoutAnIdOfTheSinksIsNoProofThatTheDocumentIsWritten(String key, String value, Failure failure)
            throws WriteException {
        server.answers(200, items(CONFLICT, OK));
        BatchWriter writer = writer("document.id", "none", "write.method", "create", key, value);

        assertThat(writer.write(List.of(
                        Documents.timed("tides", 0, "{\"station\":\"secret\"}"), Documents.timed("tides", 0, "{}"))))
                .singleElement()
                .satisfies(refusal -> {
                    assertThat(refusal.failure()).isEqualTo(failure);
                    assertThat(refusal.reason())
                            .hasMessageStartingWith(
                                    "the index tides has a document with the id that it made for this one");
                });
        assertThat(count("documents-existing-document-total")).isEqualTo(1L);
        assertThat(writer.kept()).isZero();
    }

    /** A deletion with the version of its row leaves the document there, with external_version.type=external. */
    @ParameterizedTest
    @CsvSource({
        "200, '\"found\": true, \"_version\": 3', dlq, 1, 1",
        "200, '\"found\": true, \"_version\": 3', warn, 0, 1",
        "200, '\"found\": true, \"_version\": 4', dlq, 0, 0", // another writer's, and newer
        "200, '\"found\": false', dlq, 0, 0",
        "403, , dlq, 0, 0"
    })
    void aDeletionThatMeetsItsOwnVersionInTheDocumentIsStale(
            int status, String found, String policy, int refused, long stale) throws WriteException {
        server.answers(200, items(CONFLICT.replace("index", "delete"), OK))
                .answers(status, "{\"docs\": [{" + (found == null ? "" : found) + "}]}");
        BatchWriter writer = writer(
                "behavior.on.null.values",
                "delete",
                "external.version",
                "${header:v}",
                "behavior.on.version.conflicts",
                policy);
        List<Document> documents = List.of(Documents.delete("tides", "a/b", 0), Documents.of("tides", "b", 1, "{}"));
        documents.forEach(document -> document.record().headers().addLong("v", 3));

        assertThat(writer.write(documents)).hasSize(refused).allSatisfy(refusal -> assertThat(refusal.reason())
                .hasMessage("the deletion has the version of the document in the index (version 3), which"
                        + " stays, index tides; give deletions a higher version, or set"
                        + " external.version.type=external_gte"));
        assertThat(count("documents-stale-document-total")).isEqualTo(stale);
        assertThat(server.requests().get(1).uri()).startsWith("/_mget");
        assertThat(server.requests().get(1).text()).contains("{\"_index\":\"tides\",\"_id\":\"a/b\"}");
    }

    @Test
    void aDeletionIsWrittenAgainIfNobodyTellsWhetherItsDocumentIsStillThere() {
        server.answers(200, items(CONFLICT.replace("index", "delete")))
                .answers(200, "{\"docs\": [{\"error\": {\"type\": \"no_shard_available_action_exception\"}}]}");
        BatchWriter writer = writer("behavior.on.null.values", "delete", "external.version", "${header:v}");
        List<Document> documents = List.of(Documents.delete("tides", "a", 0));
        documents.get(0).record().headers().addLong("v", 3);

        WriteException e = failure(writer, documents);

        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e.unwritten()).isEqualTo(documents);
        assertThat(e).hasMessageContaining("no_shard_available_action_exception");
    }

    @Test
    void skipsStaleDocumentsUnlessToldOtherwise() throws WriteException {
        server.answers(200, items(STALE, OK));
        assertThat(writer().write(Documents.numbered("tides", 2))).isEmpty();
        assertThat(count("documents-stale-document-total")).isEqualTo(1L);
    }

    @Test
    void failsOnAStaleDocumentWhenToldSo() {
        server.answers(200, items(OK, STALE));
        WriteException e = failure(writer("behavior.on.version.conflicts", "fail"), Documents.numbered("tides", 2));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e)
                .hasMessageContaining("than the one in the index (version 9)")
                .hasMessageContaining("stale_document")
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
        assertThat(e).hasMessageContaining("create the index").hasMessageContaining("unusable_index");
    }

    /** The index written to may lack the mapping. A failure store does not tell that. */
    @Test
    void sendsVectorsAsTheyAreAfterAFailureStoreTookThem() throws WriteException {
        server.answers(200, "{\"version\":{\"number\":\"9.3.0\"}}")
                .answers(200, "{\"tides\":{\"mappings\":{\"v\":{\"mapping\":{\"v\":{\"type\":\"dense_vector\"}}}}}}")
                .answers(200, items("{\"create\":{\"status\":201,\"failure_store\":\"used\"}}"))
                .answers(200, items(OK));
        BatchWriter writer = writer("write.method", "create", "vector.fields", "v");
        List<Document> documents = List.of(Documents.of("tides", "a", 0, "{\"v\":[1,2]}"));

        assertThat(failure(writer, documents).failure()).isEqualTo(Failure.BUSY);
        assertThat(writer.write(documents)).isEmpty();
        assertThat(server.requests().get(2).body()).asString().contains("P4AAAEAAAAA=");
        assertThat(server.requests().get(3).body()).asString().contains("{\"v\":[1,2]}");
    }

    /** Otherwise one such record in half a minute would keep the others from being sent in Base64. */
    @Test
    void aDocumentWithoutVectorsIsMalformedForAnotherReason() throws WriteException {
        server.answers(200, "{\"version\":{\"number\":\"9.3.0\"}}")
                .answers(200, "{\"tides\":{\"mappings\":{\"v\":{\"mapping\":{\"v\":{\"type\":\"dense_vector\"}}}}}}")
                .answers(
                        200,
                        items("{\"index\":{\"status\":400,\"error\":{\"type\":\"document_parsing_exception\","
                                + "\"reason\":\"no date\"}}}"))
                .answers(200, items(OK));
        BatchWriter writer = writer("vector.fields", "v");

        assertThat(writer.write(List.of(Documents.of("tides", "a", 0, "{\"at\":\"x\",\"v\":\"none\"}"))))
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.reason().facts()).containsEntry("kind", "malformed_document"));
        assertThat(writer.write(List.of(Documents.of("tides", "b", 1, "{\"v\":[1,2]}"))))
                .isEmpty();
        assertThat(server.requests().get(2).body()).asString().doesNotContain("dynamic_templates");
        assertThat(server.requests().get(3).body())
                .asString()
                .contains("P4AAAEAAAAA=", "\"dynamic_templates\":{\"v\":");
    }

    /** Something deletes it while a request is on its way; the next request creates it. */
    @Test
    void asksAgainForAnIndexThatExistedAMomentAgo() throws WriteException {
        server.answers(200, items(OK)).answers(200, items(NO_INDEX)).answers(200, items(NO_INDEX));
        BatchWriter writer = writer();
        assertThat(writer.write(Documents.numbered("tides", 1))).isEmpty();
        assertThat(failure(writer, Documents.numbered("tides", 1)).failure()).isEqualTo(Failure.DESTINATION);
        assertThat(failure(writer, Documents.numbered("tides", 1)).failure()).isEqualTo(Failure.FATAL);
    }

    @Test
    void asksAgainForAnIndexThatExistedAlsoWhereThereAreThousands() throws WriteException {
        server.answers(200, StubServer.NO_ERRORS).answers(200, items(OK)).answers(200, items(NO_INDEX));
        BatchWriter writer = writer();
        List<Document> many = IntStream.range(0, 1_500)
                .mapToObj(i -> Documents.of("tides-" + i, "a", i, "{}"))
                .toList();
        assertThat(writer.write(many)).isEmpty();
        assertThat(writer.write(Documents.numbered("tides", 1))).isEmpty();

        assertThat(failure(writer, many.subList(0, 1)).failure()).isEqualTo(Failure.DESTINATION);
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
        BatchWriter strict = writer("index.name", "${field:$.index}", "error.overrides", "unusable_index:fail");
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

    /** An inference processor or a field of semantic_text whose model is not deployed. */
    @ParameterizedTest
    @CsvSource({"409, create", "409, index", "404, create", "408, index"})
    void waitsForAModelInsteadOfTakingItsErrorForAConflict(int status, String method) {
        String cold = "{\"index\":{\"status\":" + status
                + ",\"error\":{\"type\":\"status_exception\",\"reason\":\"Model [elser] must be deployed to use\"}}}";
        server.answers(200, items(OK, cold, OK));
        List<Document> documents = Documents.numbered("tides", 3);
        WriteException e = failure(writer("write.method", method, "external.version", "auto"), documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).containsExactly(documents.get(1));
        assertThat(e.refusals()).isEmpty();
        assertThat(e).hasMessageContaining("must be deployed").hasMessageContaining("correct it on the server");
        assertThat(count("documents-stale-document-total")).isEqualTo(0L);
    }

    @Test
    void aDeletionWaitsWithAnEarlierWriteOfItsIdForTheMissingIndex() {
        server.answers(200, items(NO_INDEX, NO_INDEX, NO_INDEX));
        List<Document> documents = List.of(
                Documents.of("tides", "a", 0, "{\"v\":5}"),
                Documents.delete("tides", "b", 1),
                Documents.delete("tides", "a", 2));
        BatchWriter writer = writer("behavior.on.null.values", "delete", "error.overrides", "index_not_found:retry");
        WriteException e = failure(writer, documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).containsExactly(documents.get(0), documents.get(2));
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
                .contains("status 403, cluster_block_exception", "blocked_index", "index blocked")
                .doesNotContain("secret");
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
    void countsRequestsThatTheServerHadNoRoomFor() {
        BatchWriter writer = writer();
        server.answers(200, items(REJECTED, OK)).answers(429, "").answers(503, "");
        for (int i = 0; i < 3; i++) {
            failure(writer, Documents.numbered("tides", 2));
        }
        assertThat(count("bulk-rejections-total")).isEqualTo(2L);
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
                .hasSize(2)
                .allSatisfy(refusal -> assertThat(refusal.failure()).isEqualTo(Failure.SKIPPED));
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
                .hasMessageContaining("its code malformed_document");
        WriteException malformed = failure(writer, List.of(Documents.of("tides", "3", 2, "no JSON")));
        assertThat(malformed.failure()).isEqualTo(Failure.FATAL);
        assertThat(malformed).hasMessageContaining("does not start with");
    }

    @Test
    void tellsOfAnItemThatTheServerNeverTakes() {
        server.answers(200, items(BROKEN));
        WriteException e = failure(writer(), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e).hasMessageContaining("null_pointer_exception: oh").hasMessageContaining("its code server_error");
    }

    @Test
    void givesUpAnItemThatTheServerDoesNotTakeForTheTimeOfAnOverride() throws WriteException {
        BatchWriter writer = writer("error.overrides", "server_error:retry:1ms:dlq");
        List<Document> documents = Documents.numbered("tides", 2);
        server.answers(200, items(BROKEN, OK));
        assertThat(failure(writer, documents).unwritten()).containsExactly(documents.get(0));
        List<Refusal> refused = List.of();
        while (refused.isEmpty()) {
            server.answers(200, items(BROKEN, OK));
            try {
                refused = writer.write(documents);
            } catch (WriteException e) {
                assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
            }
        }
        assertThat(refused).extracting(Refusal::document).containsExactly(documents.get(0));
    }

    @ParameterizedTest
    @CsvSource({"warn, SKIPPED", "ignore, SKIPPED", "dlq, REJECTED"})
    void hasAPolicyForFailureStores(String policy, Failure failure) throws WriteException {
        String stored = "{\"create\":{\"status\":201,\"failure_store\":\"used\"}}";
        server.answers(200, "{\"errors\":false,\"items\":[" + stored + "," + OK + "]}");
        BatchWriter writer = writer("write.method", "create", "error.overrides", "failure_store:" + policy);
        assertThat(writer.write(Documents.numbered("tides", 2))).singleElement().satisfies(refusal -> {
            assertThat(refusal.failure()).isEqualTo(failure);
            assertThat(refusal.reason()).hasMessageContaining("into the failure store of tides");
        });
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
    void goesOnForAWhileWhenAnswersOfSuccessCannotBeRead() throws WriteException {
        BatchWriter writer = writer();
        for (int i = 1; i <= 20; i++) {
            server.answers(200, "{\"errors\":true,\"items\":[");
            WriteException e = failure(writer, Documents.numbered("tides", 1));
            assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
            assertThat(e)
                    .hasMessageContaining("what stands between the sink and the server")
                    .hasMessageContaining("unauthorized.retry.ms");
        }
        server.answers(200, "<html>please wait</html>");
        assertThat(failure(writer("unauthorized.retry.ms", "0"), Documents.numbered("tides", 1))
                        .failure())
                .isEqualTo(Failure.FATAL);
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
        server.answers(413, "")
                .answers(400, "{\"error\":{\"type\":\"parse_exception\",\"reason\":\"request body\"}}")
                .answers(200, items(OK));
        BatchWriter writer = writer();
        WriteException tooLarge = failure(writer, Documents.numbered("tides", 3));
        assertThat(tooLarge.failure()).isEqualTo(Failure.TOO_MUCH);
        assertThat(tooLarge.unwritten()).hasSize(3);
        assertThat(tooLarge).hasMessageContaining("batch.max.bytes");
        WriteException malformed = failure(writer, Documents.numbered("tides", 3));
        assertThat(malformed.failure()).isEqualTo(Failure.REJECTED);
        assertThat(malformed).hasMessageContaining("400 parse_exception: request body");
    }

    @ParameterizedTest
    @CsvSource({"413, ''", "400, '{\"error\":{\"type\":\"parse_exception\",\"reason\":\"request body\"}}'"})
    void aPolicyDecidesAboutADocumentThatIsRefusedAlone(int status, String body) throws WriteException {
        for (int attempt = 0; attempt < 3; attempt++) {
            server.answers(status, body);
            if (status == 400) {
                server.answers(200, items(OK)); // the sink asks whether any body is accepted
            }
        }
        List<Document> documents = Documents.numbered("tides", 1);

        assertThat(writer().write(documents)).singleElement().satisfies(refusal -> {
            assertThat(refusal.document()).isEqualTo(documents.get(0));
            assertThat(refusal.reason()).hasMessageContaining(Integer.toString(status));
            assertThat(refusal.reason().facts())
                    .containsEntry("kind", "malformed_document")
                    .containsEntry("index", "tides");
        });
        assertThat(writer("behavior.on.malformed.documents", "warn").write(documents))
                .extracting(Refusal::failure)
                .containsExactly(Failure.SKIPPED);
        WriteException failed = failure(writer("behavior.on.malformed.documents", "fail"), documents);
        assertThat(failed.failure()).isEqualTo(Failure.FATAL);
        assertThat(failed).hasMessageContaining("its code malformed_document");
        assertThat(targets).extracting(ElasticsearchBulkWriterTest::malformed).containsExactly(1.0, 1.0, 1.0);
    }

    private static double malformed(Target target) {
        return target.metrics().stream()
                .filter(metric -> metric.name().equals("documents-malformed-document-total"))
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
        "media_type_header_exception, Invalid media-type value on headers [Content-Type]"
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
                    .hasMessageEndingWith(
                            "if this goes on for longer than 30000 ms, see unauthorized.retry.ms, the task fails");
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
    void takesNoPageForAnAnswerOfSuccess() {
        server.answers(200, Map.of("Content-Type", "text/html"), StubServer.NO_ERRORS);
        WriteException e = failure(writer("unauthorized.retry.ms", "0"), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e).hasMessageContaining("text/html").hasMessageContaining("connection.url");
    }

    @ParameterizedTest
    @CsvSource({"elasticsearch, true", "opensearch, false"})
    void asksForADataStreamWhereTheProductKnowsThat(String product, boolean isAsked) throws WriteException {
        server.isOpenSearch().answers(200, "{\"errors\":false,\"items\":[" + OK + "]}");
        BatchWriter writer = writer(
                "destination.type",
                "data_stream",
                "write.method",
                "create",
                "key.ignore",
                "true",
                "server.product",
                product);
        assertThat(writer.write(List.of(Documents.timed("tides", 0, "{}")))).isEmpty();
        assertThat(server.requests().get(0).uri().contains("require_data_stream"))
                .isEqualTo(isAsked);
    }

    @Test
    void saysWhatToSetWhereAServerHasNoParameterForDataStreams() {
        server.answers(
                400,
                "{\"error\":{\"type\":\"illegal_argument_exception\",\"reason\":\"request [/_bulk] contains"
                        + " unrecognized parameter: [require_data_stream]\"}}");
        WriteException e = failure(writer(), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e).hasMessageContaining("server.product=opensearch");
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 403, 404, 405, 421, 423})
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
        WriteException own = failure(writer, Documents.numbered("tides", 1));
        assertThat(own.failure())
                .as("as before its security index is back")
                .isEqualTo(status >= 404 ? Failure.FATAL : Failure.TRANSIENT);
    }

    @Test
    void goesOnForAWhileWhenSomethingElseAnswersAfterTheServerDid() throws WriteException {
        server.answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer();
        writer.write(Documents.numbered("tides", 1));
        server.answers(200, Map.of("Content-Type", "text/html"), "<html>");
        WriteException e = failure(writer, Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e).hasMessageContaining("text/html").hasMessageContaining("unauthorized.retry.ms");
    }

    @Test
    void goesOnForAWhileWhenTheAnswerIsNoHttp() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> {
                try (Socket client = other.accept()) {
                    client.getInputStream().read();
                    client.getOutputStream().write("HTTP/1.1 maintenance\r\n\r\n".getBytes(UTF_8));
                    client.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            BatchWriter writer = writer("connection.url", "http://localhost:" + other.getLocalPort());
            WriteException e = failure(writer, Documents.numbered("tides", 1));
            assertThat(e.failure()).as(e.getMessage()).isEqualTo(Failure.TRANSIENT);
            assertThat(e)
                    .hasMessageContaining("the answer is no HTTP that can be read")
                    .hasMessageContaining("unauthorized.retry.ms");
            answered.get(30, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 403, 404, 405})
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
        BatchWriter writer = writer("read.timeout.ms", "2000");
        List<Document> documents = Documents.numbered("tides", 1);
        failure(writer, documents);
        writer.write(documents);
        writer.write(documents);
        assertThat(server.requests())
                .extracting(request -> Optional.ofNullable(request.headers().getFirst("Expect")))
                .containsExactly(Optional.empty(), Optional.of("100-continue"), Optional.empty());
    }

    @Test
    void announcesNothingMoreWhereSomethingOnTheWayRefusesThat() throws WriteException {
        server.hangs();
        server.answers(417, "").answers(503, "").answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer("read.timeout.ms", "2000");
        List<Document> documents = Documents.numbered("tides", 1);
        for (int failed = 0; failed < 3; failed++) {
            assertThat(failure(writer, documents).failure()).isEqualTo(Failure.TRANSIENT);
        }
        assertThat(writer.write(documents)).isEmpty();
        assertThat(server.requests())
                .extracting(request -> request.headers().containsKey("Expect"))
                .containsExactly(false, true, false, false);
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
                .answers(403, "{\"error\":{\"type\":\"index_create_block_exception\",\"reason\":\"no room\"}}")
                .answers(200, StubServer.NO_ERRORS);
        List<Document> documents = List.of(Documents.of("good", "1", 0, "{}"), Documents.of("new", "2", 1, "{}"));
        WriteException e = failure(writer("index.definition.file", definition(folder)), documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).containsExactly(documents.get(1));
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
    void theLimitOfShardsPostponesTheNewIndexOnly(@TempDir Path folder) throws Exception {
        String full = "{\"error\":{\"type\":\"validation_exception\",\"reason\":\"this action would add [2] shards\"}}";
        List<Document> documents = List.of(Documents.of("new", "a", 0, "{}"), Documents.of("good", "b", 1, "{}"));
        server.answers(404, "").answers(400, full).answers(200, "").answers(200, StubServer.NO_ERRORS);
        BatchWriter writer = writer("index.definition.file", definition(folder), "index.name", "${header:index}");
        WriteException e = failure(writer, documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).containsExactly(documents.get(0));
        assertThat(e.refusals()).isEmpty();
    }

    @Test
    void aProxysPageInPlaceOfTheCreationOfAnIndexIsAnOutage(@TempDir Path folder) throws Exception {
        server.answers(404, "").answers(400, Map.of("Content-Type", "text/html"), "<html>Bad Request</html>");
        server.isOpenSearch(); // that is, without a product header
        WriteException e = failure(writer("index.definition.file", definition(folder)), Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e).hasMessageContaining("not Elasticsearch's own");
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
                writer("index.definition.file", definition(folder), "error.overrides", "unusable_index:retry"),
                documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.destinations()).containsOnlyKeys("bad", "good");
        assertThat(e.unwritten()).containsExactly(documents.get(1), documents.get(2));
    }

    /** As before the security index of a cluster that starts is back. */
    @ParameterizedTest
    @CsvSource({"900000, DESTINATION", "0, FATAL"})
    void aCreationThatIsForbiddenOnceTheTaskHasWrittenMayPass(int grace, Failure expected, @TempDir Path folder)
            throws Exception {
        String refused = "{\"error\":{\"type\":\"security_exception\",\"reason\":\"no\"}}";
        server.answers(200, "").answers(200, StubServer.NO_ERRORS);
        BatchWriter writer =
                writer("index.definition.file", definition(folder), "unauthorized.retry.ms", Integer.toString(grace));
        writer.write(Documents.numbered("good", 1));
        server.answers(403, "").answers(403, refused).answers(200, items(OK));
        List<Document> documents = List.of(Documents.of("new", "a", 0, "{}"), Documents.of("good", "b", 1, "{}"));

        WriteException e = failure(writer, documents);
        assertThat(e.failure()).isEqualTo(expected);
        assertThat(e.unwritten()).containsExactly(documents.get(0));
        assertThat(e).hasMessageContaining(grace > 0 ? "unauthorized.retry.ms" : "unusable_index");
    }

    /** Otherwise a name that a record makes up would hold back the offsets of all records for the time. */
    @Test
    void aCreationThatIsForbiddenIsNotWaitedForWhereTheRecordNamesTheIndex(@TempDir Path folder) throws Exception {
        server.answers(403, "").answers(403, "{\"error\":{\"type\":\"security_exception\",\"reason\":\"no\"}}");
        BatchWriter writer = writer("index.definition.file", definition(folder), "index.name", "${header:index}");
        targets.get(0).continues();
        assertThat(writer.write(Documents.numbered("tides", 1))).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"true, TRANSIENT", "false, FATAL"})
    void aTemplateThatIsForbiddenOnceTheConnectorHasWrittenMayPass(
            boolean hasWritten, Failure expected, @TempDir Path folder) throws Exception {
        server.answers(403, "").answers(403, "{\"error\":{\"type\":\"security_exception\",\"reason\":\"no\"}}");
        BatchWriter writer = writer("index.template.file", definition(folder));
        if (hasWritten) {
            targets.get(0).continues();
        }
        WriteException e = failure(writer, Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(expected);
        assertThat(e).hasMessageContaining("manage_index_templates");
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
        assertThat(e).hasMessageContaining("unusable_index").hasMessageContaining("privileges");
    }

    @Test
    void createsAnIndexAgainThatWasDeleted(@TempDir Path folder) throws Exception {
        server.answers(200, "").answers(200, items(NO_INDEX));
        BatchWriter writer = writer("index.definition.file", definition(folder));
        WriteException e = failure(writer, Documents.numbered("tides", 1));
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e).hasMessageContaining("the index tides was deleted");
        server.answers(404, "").answers(200, "{}").answers(200, StubServer.NO_ERRORS);
        assertThat(writer.write(e.unwritten())).isEmpty();
        assertThat(server.requests())
                .extracting(StubServer.Request::method)
                .containsExactly("HEAD", "POST", "HEAD", "PUT", "POST");
    }

    @Test
    void severalLanesMayFindThatAnIndexWasDeleted(@TempDir Path folder) throws Exception {
        IndexDefinition definition =
                IndexDefinition.read(Asked.INDEX, "index.definition.file", Path.of(definition(folder)));
        IndexCreator creator = new IndexCreator(Optional.empty(), "", Optional.of(definition), Clock.SYSTEM);
        assertThat(creator.forget("tides")).isTrue();
        assertThat(creator.forget("tides")).isTrue();
        assertThat(IndexCreator.none().forget("tides")).isFalse();
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
        return new DeliveredWriter(target);
    }
}
