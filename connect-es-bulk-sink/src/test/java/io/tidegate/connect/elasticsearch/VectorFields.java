package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors as Base64, on a real Elasticsearch 9. The tests are nested in those of the node. */
abstract class VectorFields {
    private static int indexes;

    private final String index = "vectors-" + indexes++;
    private Target target;

    /** The node, which is running. */
    abstract ElasticsearchNode node();

    @AfterEach
    void closeTarget() {
        if (target != null) {
            target.close();
        }
    }

    private BatchWriter writer(String... settings) {
        Map<String, String> props = new HashMap<>(Map.of(
                "connection.url", node().url().toString(),
                "connection.username", node().username(),
                "connection.password", node().password(),
                "ssl.ca", node().caCertificate().toString(),
                "topics", "tides",
                "vector.fields", "v",
                "key.ignore", "false"));
        for (int i = 0; i < settings.length; i += 2) {
            props.put(settings[i], settings[i + 1]);
        }
        target = new ElasticsearchTargetType().open(props);
        return new DeliveredWriter(target);
    }

    /** The second attempt sends arrays, so that no node refuses Base64 that another one would take. */
    private static List<Refusal> delivered(BatchWriter writer, List<Document> documents) throws WriteException {
        assertThatCode(() -> writer.write(documents)).isInstanceOf(WriteException.class);
        return writer.write(documents);
    }

    /** @param settings of the index, for vectors in {@code _source} */
    private void create(String settings, String mapping) {
        node().request(
                        "PUT",
                        "/" + index,
                        "{\"settings\": {\"number_of_replicas\": 0" + settings
                                + "}, \"mappings\": {\"properties\": {\"v\": " + mapping + "}}}");
    }

    private JsonNode source(String id) {
        node().request("POST", "/" + index + "/_refresh", "");
        return node().request(
                        "POST",
                        "/" + index + "/_search",
                        "{\"_source\": {\"exclude_vectors\": false}, \"query\": {\"ids\": {\"values\": [\"" + id
                                + "\"]}}}")
                .at("/hits/hits/0/_source");
    }

    private String typeOfField() {
        return node().request("GET", "/" + index + "/_mapping", "")
                .at("/" + index + "/mappings/properties/v/type")
                .asText();
    }

    @ParameterizedTest
    @CsvSource({"float, true", "bfloat16, true", "byte, false"})
    void vectorsAreTheSameInBase64(String elements, boolean isBase64) throws WriteException {
        String mapping = "{\"type\": \"dense_vector\", \"dims\": 3, \"element_type\": \"" + elements + "\"}";
        create(", \"index.mapping.exclude_source_vectors\": false", mapping);

        assertThat(writer().write(
                                List.of(Documents.of(index, "a", 1, "{\"n\": 1, \"v\": [1, -2.0, 3e0], \"w\": [1]}"))))
                .isEmpty();

        JsonNode source = source("a");
        assertThat(source.path("w").toString()).isEqualTo("[1]");
        assertThat(source.path("v").isTextual()).isEqualTo(isBase64);
        assertThat(source.path("v").asText()).isEqualTo(isBase64 ? "P4AAAMAAAABAQAAA" : "");
        JsonNode nearest = node().request(
                        "POST",
                        "/" + index + "/_search",
                        "{\"knn\": {\"field\": \"v\", \"query_vector\": [1, -2, 3], \"k\": 1, \"num_candidates\": 10}}");
        assertThat(nearest.at("/hits/hits/0/_score").asDouble()).isCloseTo(1.0, within(1e-6)); // the same direction
    }

    /** By default Elasticsearch keeps vectors out of the source, and puts them back when it is asked to. */
    @Test
    void eachElementIsTheFloatThatElasticsearchReads() throws WriteException {
        create("", "{\"type\": \"dense_vector\", \"dims\": 4, \"index\": false}");
        String vector = "[0.023456789123456789, -3.4028234e18, 1.17549435e-38, 0.1]";

        assertThat(writer().write(List.of(Documents.of(index, "a", 1, "{\"v\": " + vector + "}"))))
                .isEmpty();
        node().request("PUT", "/" + index + "/_doc/b", "{\"v\": " + vector + "}");
        JsonNode read = source("b").path("v");
        FloatBuffer sent = ByteBuffer.wrap(
                        Base64.getDecoder().decode(source("a").path("v").asText()))
                .asFloatBuffer();
        assertThat(sent.remaining()).isEqualTo(read.size());
        for (int i = 0; i < read.size(); i++) {
            assertThat(sent.get(i)).isEqualTo(read.get(i).floatValue());
        }
    }

    @Test
    void aVectorThatDoesNotFitIsThatRecordsFault() throws WriteException {
        create("", "{\"type\": \"dense_vector\", \"dims\": 2}");

        List<Refusal> refused = delivered(
                writer(),
                List.of(
                        Documents.of(index, "a", 1, "{\"v\": [1, 2]}"),
                        Documents.of(index, "b", 2, "{\"v\": [1, 2, 3]}"),
                        Documents.of(index, "c", 3, "{\"v\": [1, \"x\"]}"),
                        Documents.of(index, "d", 4, "{\"v\": null}"),
                        Documents.of(index, "e", 5, "{\"n\": 5}"),
                        Documents.of(index, "f", 6, "{\"v\": [3.4e38, 3.4e38]}")));

        assertThat(refused).extracting(refusal -> refusal.document().offset()).containsExactly(2L, 3L, 6L);
        assertThat(source("a").path("v").size()).isEqualTo(2);
        assertThat(source("e").path("n").asInt()).isEqualTo(5);
    }

    @Test
    void anErrorAboutAVectorDoesNotShowIt() throws WriteException {
        create("", "{\"type\": \"dense_vector\", \"dims\": 2, \"index\": false}");

        List<Refusal> refused = writer().write(List.of(Documents.of(index, "a", 1, "{\"v\": [3.1e38, 3.1e38]}")));

        assertThat(refused).singleElement().satisfies(refusal -> assertThat(refusal.reason())
                .hasMessageContaining("Infinite")
                .hasMessageNotContaining("3.1E38"));
    }

    @Test
    void anIndexThatDoesNotExistGetsTheArrays() throws WriteException {
        BatchWriter writer = writer();

        assertThat(writer.write(List.of(Documents.of(index, "a", 1, "{\"v\": [1, 2]}"))))
                .isEmpty();
        assertThat(writer.write(List.of(Documents.of(index, "b", 2, "{\"v\": [3, 4]}"))))
                .isEmpty();

        assertThat(typeOfField()).isEqualTo("long");
        assertThat(source("b").path("v").toString()).isEqualTo("[3,4]");
    }

    /** Otherwise the Base64 would be mapped as text, and nobody would notice. */
    @Test
    void anIndexThatIsCreatedAgainWithoutTheMappingGetsTheArrays() throws WriteException {
        create("", "{\"type\": \"dense_vector\", \"dims\": 2}");
        BatchWriter writer = writer();
        assertThat(writer.write(List.of(Documents.of(index, "a", 1, "{\"v\": [1, 2]}"))))
                .isEmpty();
        node().request("DELETE", "/" + index, "");

        List<Document> again =
                List.of(Documents.of(index, "b", 2, "{\"v\": [3, 4]}"), Documents.of(index, "c", 3, "{\"n\": 1}"));
        assertThatCode(() -> writer.write(again))
                .isInstanceOf(WriteException.class)
                .hasMessageContaining("refused a document whose vector.fields were in Base64");
        assertThat(writer.write(again)).isEmpty();

        assertThat(typeOfField()).isEqualTo("long");
        assertThat(source("b").path("v").toString()).isEqualTo("[3,4]");
        assertThat(source("c").path("n").asInt()).isEqualTo(1);
    }

    /** Its older index maps the field, and the one that is written to does not. */
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void anAliasOfIndexesThatDifferGetsTheArrays(String dynamic) throws WriteException {
        node().request(
                        "PUT",
                        "/" + index + "-old",
                        "{\"aliases\": {\"" + index
                                + "\": {}}, \"mappings\": {\"properties\": {\"v\": {\"type\": \"dense_vector\","
                                + " \"dims\": 2}}}}");
        node().request(
                        "PUT",
                        "/" + index + "-new",
                        "{\"aliases\": {\"" + index + "\": {\"is_write_index\": true}}, \"mappings\": {\"dynamic\": "
                                + dynamic + "}}");
        BatchWriter writer = writer();

        assertThat(writer.write(List.of(Documents.of(index, "a", 1, "{\"v\": [1, 2]}"))))
                .isEmpty();
        assertThat(writer.write(List.of(Documents.of(index, "b", 2, "{\"v\": [3, 4]}"))))
                .isEmpty();

        assertThat(source("a").path("v").toString()).isEqualTo("[1,2]");
        assertThat(source("b").path("v").toString()).isEqualTo("[3,4]");
    }

    @Test
    void mergedDocumentsKeepTheirArrays() throws WriteException {
        create(", \"index.mapping.exclude_source_vectors\": false", "{\"type\": \"dense_vector\", \"dims\": 2}");

        assertThat(writer("write.method", "upsert").write(List.of(Documents.of(index, "a", 1, "{\"v\": [1, 2]}"))))
                .isEmpty();

        assertThat(source("a").path("v").toString()).isEqualTo("[1,2]");
    }
}
