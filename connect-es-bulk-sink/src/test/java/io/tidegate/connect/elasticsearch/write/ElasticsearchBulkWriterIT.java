package io.tidegate.connect.elasticsearch.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.common.delivery.AttemptObserver;
import io.tidegate.connect.common.delivery.DeadLetters;
import io.tidegate.connect.common.delivery.Delivery;
import io.tidegate.connect.common.delivery.PostponedDestinations;
import io.tidegate.connect.common.delivery.RetryPolicy;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.lane.Batch;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.DeliveredWriter;
import io.tidegate.connect.elasticsearch.Documents;
import io.tidegate.connect.elasticsearch.ElasticsearchTargetType;
import io.tidegate.connect.elasticsearch.client.FlatJson;
import io.tidegate.connect.elasticsearch.client.tls.TestTls;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.process.Ports;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The writer against a real node over HTTPS: what the stub of the unit tests only says that Elasticsearch answers. */
final class ElasticsearchBulkWriterIT {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final ElasticsearchNode NODE = ElasticsearchNode.builder()
            .fastStart()
            .property("http.max_content_length", "2mb")
            .build();

    private final List<Target> targets = new ArrayList<>();

    @BeforeAll
    static void start() {
        NODE.start();
    }

    @AfterAll
    static void stop() {
        NODE.close();
    }

    @AfterEach
    void close() {
        targets.forEach(Target::close);
    }

    @Test
    void indexesTenThousandDocumentsTrustingThePemOfTheAuthority(TestInfo test) throws Exception {
        String index = indexOf(test);
        BatchWriter writer = writer("ssl.ca", Files.readString(NODE.caCertificate()));
        List<Document> documents = Documents.numbered(index, 10_000);
        for (int from = 0; from < documents.size(); from += 2_000) {
            assertThat(writer.write(documents.subList(from, from + 2_000))).isEmpty();
        }
        assertThat(count(index)).isEqualTo(10_000);
    }

    @Test
    void refusesADocumentThatDoesNotFitTheMappingAndThatAlone(TestInfo test) throws Exception {
        String index = indexOf(test);
        Document good = Documents.of(index, "1", 0, "{\"level\":1}");
        Document bad = Documents.of(index, "2", 1, "{\"level\":\"very high\"}");
        Document alsoGood = Documents.of(index, "3", 2, "{\n  \"level\": 3\r\n}");
        List<Refusal> refusals = writer().write(List.of(good, bad, alsoGood));
        assertThat(refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.document()).isSameAs(bad);
            assertThat(refusal.reason().getMessage())
                    .contains("status 400", "document_parsing_exception", "level", "index " + index, "id 2")
                    .doesNotContain("very high");
        });
        assertThat(count(index)).isEqualTo(2);
    }

    @Test
    void aReplayOfCreatedDocumentsChangesNothing(TestInfo test) throws Exception {
        String index = indexOf(test);
        BatchWriter writer = writer("write.method", "create", "key.ignore", "true");
        assertThat(writer.write(Documents.numbered(index, 100))).isEmpty();
        assertThat(writer.write(Documents.numbered(index, 150))).isEmpty();
        assertThat(count(index)).isEqualTo(150);
    }

    @Test
    void anOlderRecordNeverReplacesANewerOne(TestInfo test) throws Exception {
        String index = indexOf(test);
        BatchWriter writer = writer();
        writer.write(List.of(Documents.of(index, "k", 7, "{\"level\":7}")));
        assertThat(writer.write(List.of(Documents.of(index, "k", 6, "{\"level\":6}"), Documents.delete(index, "k", 5))))
                .isEmpty();
        assertThat(NODE.request("GET", "/" + index + "/_doc/k", "")
                        .at("/_source/level")
                        .asInt())
                .isEqualTo(7);
        assertThat(writer.write(List.of(Documents.delete(index, "k", 8), Documents.delete(index, "none", 9))))
                .isEmpty();
        assertThat(count(index)).isZero();
    }

    @Test
    void anOverrideSendsAnOlderRecordToTheDeadLetterQueueAndThatAlone(TestInfo test) throws Exception {
        String index = indexOf(test);
        BatchWriter writer = writer("error.overrides", "version_conflict:dlq");
        Document older = Documents.of(index, "k", 6, "{\"level\":6}");
        writer.write(List.of(Documents.of(index, "k", 7, "{\"level\":7}")));

        List<Refusal> refusals = writer.write(List.of(older, Documents.of(index, "l", 8, "{\"level\":8}")));

        assertThat(refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.document()).isSameAs(older);
            assertThat(refusal.reason().facts()).containsEntry("type", "version_conflict_engine_exception");
        });
        assertThat(count(index)).isEqualTo(2);
    }

    @Test
    void anOverrideRetriesForItsTimeAndThenDoesWhatItSays(TestInfo test) throws Exception {
        String index = indexOf(test);
        List<Document> documents = Documents.numbered(index, 1);
        BatchWriter endless = writer("error.overrides", "index_closed:retry");
        BatchWriter limited = writer("error.overrides", "index_closed_exception:retry:1ms:fail");
        NODE.request("PUT", "/" + index, "");
        NODE.request("POST", "/" + index + "/_close?wait_for_active_shards=0", "");

        for (BatchWriter writer : List.of(endless, endless, limited)) {
            assertThat(failureOf(writer, documents)).isEqualTo(Failure.DESTINATION);
        }
        assertThat(failureOf(limited, documents)).isEqualTo(Failure.FATAL);
        NODE.request("POST", "/" + index + "/_open", "");
        assertThat(endless.write(documents)).isEmpty();
        assertThat(count(index)).isEqualTo(1);
    }

    private static Failure failureOf(BatchWriter writer, List<Document> documents) {
        return catchThrowableOfType(WriteException.class, () -> writer.write(documents))
                .failure();
    }

    @Test
    void mergesRecordsOfOneIdInTheirOrder(TestInfo test) throws Exception {
        String index = indexOf(test);
        NODE.request("PUT", "/" + index, "{\"mappings\":{\"dynamic\":false}}"); // no update of the mapping to wait for
        BatchWriter writer = writer("write.method", "upsert", "behavior.on.null.values", "delete");
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < 20; i++) { // one request, in whose order the server merges them
            documents.add(Documents.of(index, "k", i, "{\"last\":" + i + ",\"seen" + i + "\":true}"));
        }
        documents.add(Documents.delete(index, "gone", 20));
        assertThat(writer.write(documents)).isEmpty();
        JsonNode document = NODE.request("GET", "/" + index + "/_doc/k", "");
        assertThat(document.at("/_source/last").asInt()).isEqualTo(19);
        assertThat(document.path("_source").size()).isEqualTo(21);
        assertThat(writer.write(List.of(Documents.delete(index, "k", 21), Documents.of(index, "k", 22, "{\"a\":1}"))))
                .isEmpty();
        assertThat(NODE.request("GET", "/" + index + "/_doc/k", "").path("_source"))
                .hasToString("{\"a\":1}");
    }

    @Test
    void refusesAnUpdateOfADocumentThatIsNotThere(TestInfo test) throws Exception {
        String index = indexOf(test);
        writer().write(List.of(Documents.of(index, "1", 0, "{\"a\":1}")));
        List<Refusal> refusals = writer("write.method", "update")
                .write(List.of(Documents.of(index, "1", 1, "{\"b\":2}"), Documents.of(index, "2", 2, "{\"b\":2}")));
        assertThat(refusals).singleElement().satisfies(refusal -> {
            assertThat(refusal.failure()).isEqualTo(Failure.REJECTED);
            assertThat(refusal.reason())
                    .hasMessage("the document to update does not exist (document_missing_exception), index " + index);
            assertThat(refusal.reason().facts()).containsEntry("id", "2");
        });
        assertThat(NODE.request("GET", "/" + index + "/_doc/1", "")
                        .at("/_source")
                        .toString())
                .isEqualTo("{\"a\":1,\"b\":2}");
    }

    /** If the answer to a request is lost, it is sent again. */
    @Test
    void refusesNoUpdateThatADeletionFollowed(TestInfo test) throws Exception {
        String index = indexOf(test);
        writer().write(List.of(Documents.of(index, "1", 0, "{\"a\":1}")));
        BatchWriter writer = writer("write.method", "update", "behavior.on.null.values", "delete");
        List<Document> request = List.of(
                Documents.of(index, "1", 1, "{\"b\":2}"),
                Documents.of(index, "1", 2, "{\"b\":3}"),
                Documents.delete(index, "1", 3));
        assertThat(writer.write(request)).isEmpty();
        assertThat(writer.write(request)).isEmpty();
        assertThat(count(index)).isZero();

        List<Document> deletedBefore =
                List.of(Documents.delete(index, "1", 4), Documents.of(index, "1", 5, "{\"b\":2}"));
        assertThat(writer.write(deletedBefore)).hasSize(1);
    }

    @Test
    void takesVersionAndRoutingFromFields(TestInfo test) throws Exception {
        String index = indexOf(test);
        BatchWriter writer = writer("external.version", "${field:$.v}", "routing", "${field:$.r}");
        assertThat(writer.write(List.of(
                        Documents.of(index, "k", 0, "{\"v\":5,\"r\":\"x\"}"),
                        Documents.of(index, "k", 1, "{\"v\":9,\"r\":\"x\"}"),
                        Documents.of(index, "k", 2, "{\"v\":7,\"r\":\"x\"}"))))
                .isEmpty();
        JsonNode document = NODE.request("GET", "/" + index + "/_doc/k?routing=x", "");
        assertThat(document.path("_version").asInt()).isEqualTo(9);
        assertThat(document.path("_routing").asText()).isEqualTo("x");
    }

    @Test
    void leavesIdsToElasticsearch(TestInfo test) throws Exception {
        String index = indexOf(test);
        BatchWriter writer = writer("document.id", "none");
        assertThat(writer.write(List.of(Documents.of(index, "", 0, "{}"), Documents.of(index, "", 1, "{}"))))
                .isEmpty();
        assertThat(count(index)).isEqualTo(2);
    }

    @Test
    void sendsAllDocumentsOfARequestToOneShardAndTheNextRequestToAnother(TestInfo test) throws Exception {
        String index = indexOf(test);
        NODE.request("PUT", "/" + index, "{\"settings\":{\"number_of_shards\":3}}");
        BatchWriter writer = writer("document.id", "none", "routing", "per_request");
        List<Document> withoutIds = Collections.nCopies(10, Documents.of(index, "", 0, "{}"));
        for (int request = 0; request < 20; request++) {
            assertThat(writer.write(withoutIds)).isEmpty();
        }

        assertThat(count(index)).isEqualTo(200);
        Map<String, Integer> documentsByRouting = new HashMap<>();
        NODE.request("GET", "/" + index + "/_search?size=200", "")
                .at("/hits/hits")
                .forEach(hit -> documentsByRouting.merge(hit.path("_routing").asText(), 1, Integer::sum));
        assertThat(documentsByRouting).hasSize(20).allSatisfy((routing, documents) -> assertThat(documents)
                .isEqualTo(10));
        assertThat(documentsOfShards(index)).hasSizeGreaterThan(1).allSatisfy(documents -> assertThat(documents % 10)
                .isZero());
    }

    /** The documents of each shard that has any. */
    private static List<Integer> documentsOfShards(String index) throws IOException {
        List<Integer> documents = new ArrayList<>();
        NODE.request("GET", "/_cat/shards/" + index + "?format=json&h=prirep,docs", "")
                .forEach(shard -> documents.add(shard.path("docs").asInt()));
        documents.removeIf(found -> found == 0); // a replica without a node, too
        return documents;
    }

    @Test
    void aDestinationThatTakesNoRoutingFailsTheTaskInsteadOfRefusingEachRecord(TestInfo test) throws Exception {
        String name = indexOf(test);
        NODE.request(
                "PUT", "/_index_template/" + name, "{\"index_patterns\":[\"" + name + "-stream\"],\"data_stream\":{}}");
        BatchWriter toStream = writer(
                "document.id",
                "none",
                "routing",
                "per_request",
                "destination.type",
                "data_stream",
                "write.method",
                "create");
        List<Document> events =
                List.of(Documents.of(name + "-stream", "", 0, "{\"@timestamp\":\"2026-11-21T10:00:00Z\"}"));
        assertThat(failure(toStream, events))
                .hasMessageContaining("specifies a custom routing")
                .hasMessageContaining("leave routing empty, or set allow_custom_routing");

        NODE.request(
                "PUT",
                "/" + name,
                "{\"settings\":{\"mode\":\"time_series\",\"routing_path\":[\"station\"],\"time_series.start_time\":"
                        + "\"2026-11-01T00:00:00Z\",\"time_series.end_time\":\"2026-12-01T00:00:00Z\"},\"mappings\":"
                        + "{\"properties\":{\"station\":{\"type\":\"keyword\",\"time_series_dimension\":true}}}}");
        BatchWriter toSeries = writer("document.id", "none", "routing", "${field:$.station}");
        List<Document> readings =
                List.of(Documents.of(name, "", 0, "{\"@timestamp\":\"2026-11-21T10:00:00Z\",\"station\":\"a\"}"));
        assertThat(failure(toSeries, readings))
                .hasMessageContaining("specifying routing is not supported")
                .hasMessageContaining("selects shards by its fields");

        BatchWriter toTheRest = writer("document.id", "none", "write.method", "create");
        assertThat(toTheRest.write(readings)).isEmpty();
        assertThat(toTheRest.write(readings)).singleElement().satisfies(refusal -> {
            assertThat(refusal.failure()).isEqualTo(Failure.SKIPPED);
            assertThat(refusal.codes()).contains("version_conflict", "existing_document");
            assertThat(refusal.reason()).hasMessageContaining("has a document with the id that it made for this one");
        });

        for (String method : List.of("create", "index", "update")) {
            WriteException ids = failure(
                    writer("document.id", method.equals("update") ? "key" : "coordinates", "write.method", method),
                    List.of(Documents.of(
                            name, "a+0+1", 0, "{\"@timestamp\":\"2026-11-21T10:00:00Z\",\"station\":\"a\"}")));
            assertThat(ids.failure()).isEqualTo(Failure.FATAL);
            assertThat(ids.refusals()).isEmpty();
            assertThat(ids).hasMessageContaining("set document.id=none");
        }
    }

    @ParameterizedTest
    @CsvSource({"BODY, 1", "START, 1", "START, 20", "END, 1", "CONTENT_ENCODING, 1", "CONTENT_ENCODING, 2000"})
    void aBodyThatDidNotArriveAsItWasSentBlamesNoDocument(ManglingProxy.Taken taken, int documents) throws Exception {
        try (ManglingProxy proxy = new ManglingProxy(NODE, taken)) {
            boolean compression = taken == ManglingProxy.Taken.CONTENT_ENCODING;
            BatchWriter writer =
                    writer("connection.url", proxy.url(), "ssl.ca", "", "connection.compression", "" + compression);
            WriteException e = failure(writer, Documents.numbered("mangled", documents));
            assertThat(e.failure()).as(e.getMessage()).isEqualTo(Failure.TRANSIENT);
            assertThat(e).hasMessageContaining("set connection.compression=false");
        }
    }

    @Test
    void aClosedIndexHoldsUpItsOwnDocumentsOnly(TestInfo test) throws Exception {
        String index = indexOf(test);
        NODE.request("PUT", "/" + index, "");
        NODE.request("POST", "/" + index + "/_close?wait_for_active_shards=0", "");
        List<Document> documents =
                List.of(Documents.of(index, "1", 0, "{}"), Documents.of(index + "-other", "2", 1, "{}"));
        WriteException e = failure(writer(), documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.unwritten()).containsExactly(documents.get(0));
        assertThat(e).hasMessageContaining("open the index");
        assertThat(count(index + "-other")).isEqualTo(1);
        assertThat(writer("index.name", "${header:index}").write(documents))
                .as("where records name the index")
                .extracting(Refusal::document)
                .containsExactly(documents.get(0));
    }

    @Test
    void theLimitOfShardsOfTheClusterPostponesTheNewIndexOnly(TestInfo test, @TempDir Path folder) throws Exception {
        String index = indexOf(test);
        Document known = Documents.of(index, "1", 0, "{}");
        Document unknown = Documents.of(index + "-new", "2", 1, "{}");
        writer().write(List.of(known));
        NODE.request("PUT", "/_cluster/settings", "{\"persistent\":{\"cluster.max_shards_per_node\":1}}");
        try {
            for (String definition : List.of("", definition(folder, "{}"))) {
                for (String name : List.of("${topic}", "${header:index}")) {
                    BatchWriter writer = writer("index.definition.file", definition, "index.name", name);
                    WriteException e = failure(writer, List.of(unknown, known));
                    assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
                    assertThat(e.unwritten()).containsExactly(unknown);
                    assertThat(e.refusals()).isEmpty();
                    assertThat(e).hasMessageContaining("raise cluster.max_shards_per_node");
                }
            }
        } finally {
            NODE.request("PUT", "/_cluster/settings", "{\"persistent\":{\"cluster.max_shards_per_node\":null}}");
        }
    }

    @Test
    void keepsIdsThatLookLikeActionsToThemselves(TestInfo test) throws Exception {
        String index = indexOf(test);
        writer().write(List.of(
                Documents.of(index, "1", 0, "{}"),
                Documents.of(index, "\"}}\n{\"delete\":{\"_id\":\"1\"}}\n\u00e9\\", 1, "{}")));
        assertThat(count(index)).isEqualTo(2);
    }

    @Test
    void compressesWhenAsked(TestInfo test) throws Exception {
        String index = indexOf(test);
        writer("connection.compression", "true").write(Documents.numbered(index, 1_000));
        assertThat(count(index)).isEqualTo(1_000);
    }

    @Test
    void createsTheIndexFromItsDefinition(TestInfo test, @TempDir Path folder) throws Exception {
        String index = indexOf(test);
        String definition = definition(folder, "{\"mappings\":{\"properties\":{\"place\":{\"type\":\"geo_point\"}}}}");
        BatchWriter writer = writer("index.definition.file", definition);
        writer.write(List.of(Documents.of(index, "1", 0, "{\"place\":\"54.6,-5.9\"}")));
        writer("index.definition.file", definition).write(Documents.numbered(index, 1));
        assertThat(NODE.request("GET", "/" + index, "")
                        .at("/" + index + "/mappings/properties/place/type")
                        .asText())
                .isEqualTo("geo_point");
    }

    @Test
    void createsADataStreamFromItsTemplateAndTimestampsItsDocuments(TestInfo test, @TempDir Path folder)
            throws Exception {
        String stream = indexOf(test);
        String[] settings = {
            "destination.type", "data_stream",
            "write.method", "create",
            "key.ignore", "true",
            "index.template.name", "of-" + stream,
            "index.template.file",
                    definition(
                            folder,
                            "{\"index_patterns\":[\"" + stream + "\"],\"data_stream\":{},\"template\":{\"settings\":"
                                    + "{\"number_of_replicas\":0}}}")
        };
        assertThat(writer(settings)
                        .write(List.of(
                                Documents.timed(stream, 1_546_300_800_000L, "{\"level\":1}"),
                                Documents.timed(stream, 0, "{\"@timestamp\":\"2019-01-02\",\"level\":2}"))))
                .isEmpty();
        assertThat(writer(settings).write(List.of(Documents.timed(stream, 0, "{}"))))
                .isEmpty();
        assertThat(count(stream)).isEqualTo(3);
        JsonNode hits =
                NODE.request("GET", "/" + stream + "/_search?sort=level", "").at("/hits/hits");
        assertThat(hits.at("/0/_source/@timestamp").asText()).isEqualTo("2019-01-01T00:00:00Z");
        assertThat(hits.at("/1/_source/@timestamp").asText()).isEqualTo("2019-01-02");
        assertThat(hits.at("/0/_index").asText()).startsWith(".ds-" + stream);
    }

    /** The server keeps a template in another form. */
    @Test
    void aTemplateDiffersOnlyInWhatItSays(TestInfo test) {
        String name = indexOf(test);
        String template = "{\"index_patterns\":\"" + name + "-*\",\"priority\":7,\"template\":{\"settings\":{"
                + "\"number_of_replicas\":0,\"index.codec\":\"best_compression\",\"refresh_interval\":\"5s\",\"index\":{"
                + "\"mapping\":{\"total_fields.limit\":2000}}},\"mappings\":{\"dynamic\":false,\"properties\":{"
                + "\"level\":{\"type\":\"float\",\"meta\":{\"unit\":\"m\"}},\"a.b\":{\"type\":\"keyword\"},"
                + "\"name\":{\"type\":\"text\",\"fields\":{\"raw\":{\"type\":\"keyword\",\"ignore_above\":256}}}},"
                + "\"dynamic_templates\":[{\"s\":{\"match_mapping_type\":\"string\",\"mapping\":{\"type\":\"keyword\"}}}"
                + "]}}}";
        NODE.request("PUT", "/_index_template/" + name, template);
        Map<String, String> stored =
                flat(NODE.request("GET", "/_index_template/" + name, "").toString());

        assertThat(TemplateDifferences.of(flat(template), stored)).isEmpty();
        assertThat(TemplateDifferences.of(flat(template.replace("-*", "-").replace("256", "512")), stored))
                .containsExactly("index_patterns", "template.mappings.properties.name.fields.raw.ignore_above");
    }

    private static Map<String, String> flat(String json) {
        return FlatJson.read(new ByteArrayInputStream(json.getBytes(UTF_8)));
    }

    @Test
    void refusesToMakeAnIndexWhereADataStreamOrAnAliasIsNeeded(TestInfo test) throws Exception {
        String index = indexOf(test);
        List<Document> documents = List.of(Documents.timed(index, 0, "{}"));
        WriteException noStream = failure(
                writer("destination.type", "data_stream", "write.method", "create", "key.ignore", "true"), documents);
        assertThat(noStream.failure()).isEqualTo(Failure.FATAL);
        assertThat(noStream).hasMessageContaining("destination.type").hasMessageContaining(index);
        WriteException noAlias = failure(writer("destination.type", "alias"), Documents.numbered(index, 1));
        assertThat(noAlias.failure()).isEqualTo(Failure.FATAL);
        assertThat(noAlias).hasMessageContaining("is not an alias").hasMessageContaining("destination.type");
        WriteException deletion = failure(
                writer("destination.type", "alias", "write.method", "upsert", "behavior.on.null.values", "delete"),
                List.of(Documents.delete(index, "1", 1)));
        assertThat(deletion.failure()).isEqualTo(Failure.FATAL); // its document may be there behind the alias
        NODE.request("PUT", "/plain-" + index, "");
        WriteException plain = failure(
                writer("destination.type", "data_stream", "write.method", "create", "key.ignore", "true"),
                List.of(Documents.timed("plain-" + index, 0, "{}")));
        assertThat(plain.failure()).isEqualTo(Failure.FATAL);
        NODE.request("PUT", "/real-" + index, "{\"aliases\":{\"" + index + "\":{\"is_write_index\":true}}}");
        assertThat(writer("destination.type", "alias").write(Documents.numbered(index, 1)))
                .isEmpty();
        assertThat(count("real-" + index)).isEqualTo(1);
    }

    @Test
    void halvesARequestThatIsTooLargeForTheServer(TestInfo test) throws Exception {
        String index = indexOf(test);
        String text = "{\"text\":\"" + "x".repeat(1_300_000) + "\"}";
        List<Document> documents = List.of(
                Documents.of(index, "1", 0, text),
                Documents.of(index, "2", 1, text),
                Documents.of(index, "3", 2, "{\"text\":\"" + "x".repeat(2_200_000) + "\"}"));
        BatchWriter writer = writer();
        WriteException tooLarge = attempted(writer, documents);
        assertThat(tooLarge.failure()).isEqualTo(Failure.TOO_MUCH);
        assertThat(tooLarge).hasMessageContaining("413").hasMessageContaining("http.max_content_length");
        DeadLetters letters = new DeadLetters(Optional.empty(), false, Clock.SYSTEM);
        assertThat(delivery(writer, letters).deliver(documents, each -> Optional.empty(), new OpenGate()))
                .isTrue();
        assertThat(letters.refused()).isEqualTo(1);
        assertThat(refused(writer, documents.subList(2, 3))).singleElement().satisfies(refusal -> assertThat(
                        refusal.reason())
                .hasMessageContaining("413")
                .hasMessageContaining("http.max_content_length"));
        assertThat(count(index)).isEqualTo(2);
    }

    private Delivery delivery(BatchWriter writer, DeadLetters letters) {
        Target target = targets.get(targets.size() - 1);
        return new Delivery(
                writer,
                Delivery.Rules.of(target),
                new RetryPolicy(new RetrySettings(2, Duration.ZERO, Duration.ZERO, Duration.ZERO)),
                letters,
                Clock.SYSTEM,
                () -> 0,
                new PostponedDestinations(target.description(), Clock.SYSTEM),
                AttemptObserver.NONE);
    }

    @Test
    void aPolicyDecidesAboutADocumentThatIsTooLargeForARequestOfItsOwn(TestInfo test) throws Exception {
        String index = indexOf(test);
        List<Document> documents = List.of(Documents.of(index, "1", 0, "{\"text\":\"" + "x".repeat(2_200_000) + "\"}"));
        BatchWriter skipping = writer("behavior.on.malformed.documents", "ignore");
        assertThat(refused(skipping, documents)).extracting(Refusal::failure).containsExactly(Failure.SKIPPED);
        assertThat(skipped()).isEqualTo(1);

        WriteException failed = attempted(writer("behavior.on.malformed.documents", "fail"), documents);
        assertThat(failed.failure()).isEqualTo(Failure.FATAL);
        assertThat(failed).hasMessageContaining("413").hasMessageContaining("its code malformed_document");
    }

    /** Documents that the newest target has not written, as its policy for malformed documents says. */
    private double skipped() {
        return targets.get(targets.size() - 1).metrics().stream()
                .filter(metric -> metric.name().equals("documents-malformed-document-total"))
                .mapToDouble(metric -> metric.value().get().doubleValue())
                .findFirst()
                .orElseThrow();
    }

    /** Elasticsearch 8 answers at once; 9 hangs up first, and answers what is announced to it then. */
    private static WriteException attempted(BatchWriter writer, List<Document> documents) {
        WriteException first = failure(writer, documents);
        return first.failure() == Failure.TRANSIENT ? failure(writer, first.unwritten()) : first;
    }

    private static List<Refusal> refused(BatchWriter writer, List<Document> documents) throws WriteException {
        try {
            return writer.write(documents);
        } catch (WriteException e) {
            assertThat(e.failure()).as(e.getMessage()).isEqualTo(Failure.TRANSIENT);
            return writer.write(e.unwritten());
        }
    }

    @Test
    void waitsForABlockedIndexUnlessToldOtherwise(TestInfo test) throws Exception {
        String index = indexOf(test);
        writer().write(Documents.numbered(index, 1));
        NODE.request("PUT", "/" + index + "/_settings", "{\"index.blocks.write\":true}");
        WriteException waiting = failure(writer(), Documents.numbered(index, 1));
        assertThat(waiting.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(waiting).hasMessageContaining("its code blocked_index");
        assertThat(writer("error.overrides", "blocked_index:dlq").write(Documents.numbered(index, 1)))
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.reason()).hasMessageContaining("cluster_block_exception"));
        NODE.request("PUT", "/" + index + "/_settings", "{\"index.blocks.write\":null}");
    }

    @Test
    void writesToOtherIndexesThanTheOneWithoutAPrimaryShard(TestInfo test) throws Exception {
        String good = indexOf(test);
        String red = "red-" + good;
        NODE.request(
                "PUT",
                "/" + red + "?wait_for_active_shards=0",
                "{\"settings\":{\"index.routing.allocation.require._name\":\"nobody\"}}");
        List<Document> documents = List.of(
                Documents.of(red, "1", 0, "{}"), Documents.of(good, "2", 1, "{}"), Documents.of(red, "3", 2, "{}"));
        BatchWriter writer = writer("read.timeout.ms", "8000");
        WriteException e = failure(writer, documents);
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e.destinations()).containsOnlyKeys(red);
        assertThat(e).hasMessageContaining("unavailable_shards_exception");
        assertThat(e.unwritten()).containsExactly(documents.get(0), documents.get(2));
        assertThat(count(good)).isEqualTo(1);
        NODE.request("PUT", "/" + red + "/_settings", "{\"index.routing.allocation.require._name\":null}");
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(writer.write(e.unwritten()))
                .isEmpty());
        assertThat(count(red)).isEqualTo(2);
    }

    @Test
    void aDocumentThatItsPipelineCannotProcessIsMalformed(TestInfo test) throws Exception {
        String index = indexOf(test);
        NODE.request("PUT", "/_ingest/pipeline/" + index, "{\"processors\":[{\"fail\":{\"message\":\"no station\"}}]}");
        List<Document> documents = Documents.numbered(index, 1);
        assertThat(writer("pipeline", index).write(documents))
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.reason()).hasMessageContaining("no station"));
    }

    @Test
    void failsOnATemplateThatCannotBe(TestInfo test, @TempDir Path folder) throws Exception {
        BatchWriter writer = writer("index.template.file", definition(folder, "{\"index_patterns\":7}"));
        WriteException e = failure(writer, Documents.numbered(indexOf(test), 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e).hasMessageContaining("index template tidegate").hasMessageContaining("index.template.file");
    }

    @Test
    void failsOnADefinitionThatCannotBe(TestInfo test, @TempDir Path folder) throws Exception {
        BatchWriter writer = writer(
                "index.definition.file",
                definition(folder, "{\"mappings\":{\"properties\":{\"place\":{\"type\":\"nothing\"}}}}"));
        WriteException e = failure(writer, Documents.numbered(indexOf(test), 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e).hasMessageContaining("mapper_parsing_exception").hasMessageContaining("index.definition.file");
    }

    @Test
    void waitsForAReadOnlyIndex(TestInfo test) throws Exception {
        String index = indexOf(test);
        BatchWriter writer = writer();
        writer.write(Documents.numbered(index, 1));
        NODE.request("PUT", "/" + index + "/_settings", "{\"index.blocks.read_only_allow_delete\":true}");
        WriteException e = failure(writer, Documents.numbered(index, 2));
        assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
        assertThat(e).hasMessageContaining("cluster_block_exception");
        NODE.request("PUT", "/" + index + "/_settings", "{\"index.blocks.read_only_allow_delete\":null}");
        assertThat(writer.write(e.unwritten())).isEmpty();
        assertThat(count(index)).isEqualTo(2);
    }

    @Test
    void aMissingPipelineFailsTheTask(TestInfo test) {
        WriteException e = failure(writer("pipeline", "missing"), Documents.numbered(indexOf(test), 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e).hasMessageContaining("pipeline with id [missing] does not exist");
    }

    @Test
    void createsADeletedIndexAgainFromItsDefinition(@TempDir Path folder, TestInfo test) throws Exception {
        String index = indexOf(test);
        BatchWriter writer = writer(
                "index.definition.file",
                definition(folder, "{\"mappings\": {\"properties\": {\"level\": {\"type\": \"short\"}}}}"));
        assertThat(writer.write(Documents.numbered(index, 1))).isEmpty();
        NODE.request("PUT", "/_cluster/settings", "{\"persistent\": {\"action.auto_create_index\": \"false\"}}");
        try {
            NODE.request("DELETE", "/" + index, "");
            WriteException e = failure(writer, Documents.numbered(index, 2));
            assertThat(e.failure()).isEqualTo(Failure.DESTINATION);
            assertThat(writer.write(e.unwritten())).isEmpty();
        } finally {
            NODE.request("PUT", "/_cluster/settings", "{\"persistent\": {\"action.auto_create_index\": null}}");
        }
        assertThat(NODE.request("GET", "/" + index + "/_mapping", "")
                        .at("/" + index + "/mappings/properties/level/type")
                        .asText())
                .isEqualTo("short");
        assertThat(count(index)).isEqualTo(2);
    }

    @Test
    void keepsTheBytesOfAnImmenseTermToTheServer(TestInfo test) throws Exception {
        String index = indexOf(test);
        NODE.request("PUT", "/" + index, "{\"mappings\": {\"properties\": {\"a\": {\"type\": \"keyword\"}}}}");
        List<Refusal> refusals =
                writer().write(List.of(Documents.of(index, "1", 0, "{\"a\":\"" + "s".repeat(40_000) + "\"}")));
        assertThat(refusals).singleElement().satisfies(refusal -> assertThat(refusal.reason())
                .hasMessageContaining("failed to parse field [a] of type [keyword]")
                .hasMessageNotContainingAny("115, 115", "sss"));
    }

    @Test
    void writesADocumentWithANullTimestampToADataStream() throws Exception {
        NODE.request(
                "PUT",
                "/_index_template/logs-null",
                "{\"index_patterns\": [\"logs-null-default\"], \"data_stream\": {}, \"priority\": 900}");
        BatchWriter writer = writer("destination.type", "data_stream", "write.method", "create", "key.ignore", "true");
        assertThat(writer.write(List.of(Documents.timed("logs-null-default", 7_000, "{\"@timestamp\": null}"))))
                .isEmpty();
        assertThat(count("logs-null-default")).isEqualTo(1);
    }

    @Test
    void aWrongPasswordFailsTheTask(TestInfo test) {
        WriteException e = failure(
                writer("connection.password", "wrong", "unauthorized.retry.ms", "0"),
                Documents.numbered(indexOf(test), 1));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e)
                .hasMessageContaining("401 security_exception")
                .hasMessageContaining("connection.password")
                .hasMessageNotContaining("wrong");
    }

    @Test
    void authenticatesWithAnApiKeyInBothOfItsForms(TestInfo test) throws Exception {
        JsonNode key = NODE.request("POST", "/_security/api_key", "{\"name\": \"sink\"}");
        String parts = key.path("id").asText() + ":" + key.path("api_key").asText();
        for (String form : List.of(key.path("encoded").asText(), parts)) {
            BatchWriter writer =
                    writer("connection.username", "", "connection.password", "", "connection.api.key", form);
            assertThat(writer.write(Documents.numbered(indexOf(test), 5))).isEmpty();
        }
        assertThat(count(indexOf(test))).isEqualTo(5);
    }

    @Test
    void authenticatesWithTheTokenOfAServiceAccount() throws Exception {
        NODE.request(
                "PUT",
                "/_index_template/logs-token",
                "{\"index_patterns\": [\"logs-token-default\"], \"data_stream\": {}, \"priority\": 900}");
        String token = NODE.request("POST", "/_security/service/elastic/fleet-server/credential/token", "")
                .at("/token/value")
                .asText();
        BatchWriter writer = writer(
                "connection.username", "",
                "connection.password", "",
                "connection.bearer.token", token,
                "destination.type", "data_stream",
                "write.method", "create",
                "key.ignore", "true");
        assertThat(writer.write(List.of(Documents.timed("logs-token-default", 0, "{}"))))
                .isEmpty();
    }

    @Test
    void aWrongAuthorityFailsTheTaskAndSaysWhatIsTrusted(TestInfo test) throws Exception {
        try (InputStream other = TestTls.class.getResourceAsStream("other-ca.pem")) {
            String pem = new String(other.readAllBytes(), StandardCharsets.US_ASCII);
            WriteException e = failure(writer("ssl.ca", pem), Documents.numbered(indexOf(test), 1));
            assertThat(e.failure()).isEqualTo(Failure.FATAL);
            assertThat(e)
                    .hasMessageContaining("the server presented")
                    .hasMessageContaining("trusted are ssl.ca `CN=Another CA`");
        }
    }

    @Test
    void plainHttpSpokenToHttpsSaysSo(TestInfo test) {
        WriteException e = failure(
                writer("connection.url", NODE.url().toString().replace("https:", "http:")),
                Documents.numbered(indexOf(test), 1));
        assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(e).hasMessageContaining("use https:// in connection.url");
    }

    @Test
    void writesAgainWhenANodeThatWasAwayIsBack(TestInfo test) throws Exception {
        String index = indexOf(test);
        int port = NODE.url().getPort();
        try (TcpProxy way = TcpProxy.to("localhost", port)) {
            BatchWriter writer = writer("connection.url", "https://localhost:" + way.port());
            writer.write(Documents.numbered(index, 10));
            way.moveTo("localhost", Ports.free());
            way.cut();
            WriteException e = failure(writer, Documents.numbered(index, 20));
            assertThat(e.failure()).isEqualTo(Failure.TRANSIENT);
            assertThat(e.unwritten()).hasSize(20);
            way.moveTo("localhost", port);
            await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(writer.write(e.unwritten()))
                    .isEmpty());
            assertThat(count(index)).isEqualTo(20);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ignore", "warn"})
    void writesTheGoodPredecessorOfASkippedDocument(String policy) throws Exception {
        String index = "predecessor-" + policy;
        NODE.request("PUT", "/" + index, "{\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"}}}}");
        BatchWriter writer = writer("behavior.on.malformed.documents", policy);
        Target target = targets.get(0);
        DeadLetters letters = new DeadLetters(Optional.empty(), false, Clock.SYSTEM);
        Batch batch = Batch.of(
                List.of(Documents.of(index, "k", 0, "{\"n\":1}"), Documents.of(index, "k", 1, "{\"n\":\"x\"}")),
                target.lastWriteWins());

        assertThat(batch.documents()).hasSize(1);
        assertThat(delivery(writer, letters).deliver(batch.documents(), batch::supersededBy, new OpenGate()))
                .isTrue();

        assertThat(NODE.request("GET", "/" + index + "/_doc/k", "")
                        .at("/_source/n")
                        .asInt())
                .isEqualTo(1);
        assertThat(letters.skipped()).isEqualTo(1);
        assertThat(letters.refused()).isZero();
    }

    /** Nobody stops the lane. */
    private static final class OpenGate implements Delivery.Gate {
        @Override
        public Optional<List<Document>> enter(List<Document> documents) {
            return Optional.of(documents);
        }

        @Override
        public void leave() {
            // Nobody waits.
        }

        @Override
        public boolean pause(Duration duration) {
            return true;
        }

        @Override
        public boolean await(BooleanSupplier until) {
            return until.getAsBoolean();
        }
    }

    private static String definition(Path folder, String json) throws IOException {
        return Files.writeString(folder.resolve("index.json"), json).toString();
    }

    private static String indexOf(TestInfo test) {
        return test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    }

    private static long count(String index) {
        NODE.request("POST", "/" + index + "/_refresh", "");
        return NODE.request("GET", "/" + index + "/_count", "").path("count").asLong();
    }

    private static WriteException failure(BatchWriter writer, List<Document> documents) {
        return catchThrowableOfType(WriteException.class, () -> writer.write(documents));
    }

    private BatchWriter writer(String... settings) {
        Map<String, String> props = new HashMap<>();
        props.put("connection.url", NODE.url().toString());
        props.put("connection.username", NODE.username());
        props.put("connection.password", NODE.password());
        props.put("ssl.ca", NODE.caCertificate().toString());
        for (int i = 0; i < settings.length; i += 2) {
            props.put(settings[i], settings[i + 1]);
        }
        Target target = new ElasticsearchTargetType().open(props);
        targets.add(target);
        return new DeliveredWriter(target);
    }
}
