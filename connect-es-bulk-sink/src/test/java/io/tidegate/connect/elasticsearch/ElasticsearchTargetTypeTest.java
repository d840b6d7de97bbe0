package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.testkit.scenarios.SettingsReference;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.sink.SinkConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ElasticsearchTargetTypeTest {
    private final ElasticsearchTargetType type = new ElasticsearchTargetType();

    @Test
    void isFoundByConnectAndHasAVersion() {
        SinkConnector connector =
                ServiceLoader.load(SinkConnector.class).findFirst().orElseThrow();
        assertThat(connector).isInstanceOf(ElasticsearchBulkSinkConnector.class);
        assertThat(connector.version())
                .matches("[0-9]+\\.[0-9]+\\.[0-9]+.*")
                .isEqualTo(new ElasticsearchBulkSinkTask().version());
        assertThat(connector.taskClass()).isEqualTo(ElasticsearchBulkSinkTask.class);
    }

    @Test
    void documentsEverySetting() {
        assertThat(type.config().configKeys().values()).allSatisfy(key -> {
            assertThat(key.documentation).as(key.name).isNotBlank();
        });
        assertThat(type.config().defaultValues())
                .containsEntry("batch.size", 2000)
                .containsEntry("batch.max.bytes", 5L << 20)
                .containsEntry("max.in.flight.requests", 5);
    }

    @ParameterizedTest
    @CsvSource({"401, true", "403, true", "404, false", "400, false"})
    void otherCredentialsMayHealARefusedAccessAndNothingElse(int status, boolean isAccessRefused) {
        RequestFailure failure = RequestFailure.of(
                "a bulk request", new Response(status, Optional.empty(), true, InputStream.nullInputStream()));

        assertThat(type.isAccessRefused(WriteException.ofOffsets(failure.failure(), failure.getMessage(), failure)))
                .isEqualTo(isAccessRefused);
    }

    @Test
    void anotherUrlOrAuthorityMayHealAConnectionThatFails() {
        RequestFailure failure = RequestFailure.of("a bulk request", new SSLPeerUnverifiedException("another name"));

        assertThat(type.isAccessRefused(WriteException.ofOffsets(failure.failure(), failure.getMessage(), failure)))
                .isTrue();
    }

    @Test
    void tellsConnectTheValuesToChooseFrom() {
        ElasticsearchBulkSinkConnector connector = new ElasticsearchBulkSinkConnector();

        SettingsReference.checkChoices(
                connector.config(),
                connector.validate(props("validate.server=never")).configValues());
    }

    @Test
    void readsTheNamesOfConfluentsSink() {
        assertThat(type.aliases()
                        .resolve(Map.of(
                                "bulk.size.bytes", "5000",
                                "topic.to.external.resource.mapping", "a:b",
                                "elastic.https.ssl.truststore.location", "/trust.jks",
                                "behavior.on.malformed.documents", "warn")))
                .isEqualTo(Map.of(
                        "batch.max.bytes", "5000",
                        "topic.index.map", "a:b",
                        "ssl.truststore.location", "/trust.jks",
                        "behavior.on.malformed.documents", "warn"));
        assertThat(type.config().names()).containsAll(type.aliases().names().values());
    }

    @Test
    void hasNoComplaintAboutTheLeastThatIsNeeded() {
        assertThat(type.validate(props())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "connection.username=a, connection.password, go together",
        "connection.password=secret, connection.username, go together",
        "connection.username=a connection.password=secret connection.api.key=secret, connection.api.key, one of the"
                + " two",
        "connection.bearer.token=secret connection.api.key=secret, connection.bearer.token, one of them",
        "ssl.ca=a ssl.truststore.location=b, ssl.ca, set one of",
        "ssl.truststore.location=/no/such/file, ssl.truststore.location, the file cannot be read",
        "ssl.certificate=/no/such/file ssl.key=secret, ssl.certificate, cannot be read",
        "behavior.on.null.values=delete key.ignore=true, behavior.on.null.values, key.ignore=false",
        "write.method=create external.version=offset, external.version, write.method",
        "write.method=upsert external.version=offset, external.version, write.method=upsert",
        "write.method=update key.ignore=true, write.method, ids that records share",
        "document.id=none external.version=offset, external.version, document.id=none",
        "key.ignore=true external.version=offset, external.version, would count as written; use auto",
        "document.id=${field:$.id} behavior.on.null.values=delete, behavior.on.null.values, from a field",
        "external.version=source_position, external.version, only change events",
        "value.envelope=debezium behavior.on.null.values=delete external.version=${field:$.version},"
                + " external.version.type, external_gte",
        "value.envelope=debezium debezium.unavailable.values=keep debezium.json.columns=, debezium.unavailable.values,"
                + " write.method=upsert",
        "value.envelope=debezium debezium.unavailable.values=keep write.method=upsert, debezium.json.columns, leave it"
                + " empty",
        "document.id=${key}-${timestamp:yyyy} behavior.on.null.values=delete, behavior.on.null.values, its own time",
        "value.envelope=debezium transforms=u transforms.u.type=io.debezium.transforms.ExtractNewRecordState,"
                + " value.envelope, remove it",
        "index.name=a-${1}, index.name, topic.index.regex",
        "index.name=a-${2} topic.index.regex=(.*), index.name, is no group",
        "topic.index.map=a:${1} topic.index.regex=(.*), index.name, none applies",
        "destination.type=data_stream key.ignore=true, write.method, set it to create",
        "routing=per_request key.ignore=true, routing, needs document.id=none",
        "destination.type=data_stream write.method=create document.id=${key} behavior.on.null.values=delete,"
                + " behavior.on.null.values, data stream",
        "destination.type=data_stream write.method=create, document.id, keeps the first record of each key",
        "pipeline=geo write.method=update, pipeline, Elasticsearch ignores it with write.method=update",
        "pipeline=geo write.method=upsert, pipeline, Elasticsearch ignores it with write.method=upsert",
        "index.name=a-${timestamp:yyyy} behavior.on.null.values=delete, behavior.on.null.values, has its own time",
        "topic.index.map=a:b-${timestamp:yyyy} behavior.on.null.values=delete, behavior.on.null.values, has its own"
                + " time",
        "index.name=a-${timestamp:yyyy} event.time=${field:$.t} behavior.on.missing.event.time=fail"
                + " behavior.on.null.values=delete, behavior.on.null.values, has its own time",
        "index.name=a-${timestamp:yyyy} event.time=${header:t} behavior.on.null.values=delete,"
                + " behavior.on.null.values, has its own time",
        "index.name=a-${timestamp:yyyy} value.envelope=debezium behavior.on.null.values=delete,"
                + " behavior.on.null.values, has its own time",
        "index.name=a-${field:$.t} behavior.on.null.values=delete, behavior.on.null.values, has no field for the name",
        "transforms=r transforms.r.type=org.apache.kafka.connect.transforms.TimestampRouter"
                + " behavior.on.null.values=delete, behavior.on.null.values, the transform r",
        "write.method=upsert transforms=r transforms.r.type=org.apache.kafka.connect.transforms.TimestampRouter,"
                + " write.method, the index of its timestamp",
        "transforms=r transforms.r.type=TimestampRouter behavior.on.null.values=delete, behavior.on.null.values,"
                + " the transform r",
        "write.method=upsert transforms=r transforms.r.type=TimestampRouter, write.method, the index of its timestamp",
        "index.name=a-${timestamp:yyyy} write.method=upsert, write.method, the index of its timestamp",
        "index.name=a-${timestamp:yyyy} event.time=${field:$.t} write.method=upsert, write.method,"
                + " behavior.on.missing.event.time=fail",
        "event.time=${field:$.t} metadata.fields=timestamp:@timestamp, metadata.fields, choose another name",
        "destination.type=data_stream write.method=create key.ignore=true metadata.fields=timestamp:@timestamp,"
                + " metadata.fields, choose another name",
        "ordering=none external.version=${header:v} external.version.type=external_gte, ordering,"
                + " or external.version.type=external",
        "ordering=none write.method=${header:op}, ordering, also after its deletion",
        "ordering=none write.method=${header:op} external.version=offset, ordering, also after its deletion",
        "ordering=none behavior.on.null.values=delete, ordering, also after its deletion",
        "ordering=none behavior.on.null.values=delete external.version=${header:v}, ordering, also after its"
                + " deletion",
        "destination.type=data_stream key.ignore=true write.method=${header:op}, write.method, set it to create",
        "ordering=none write.method=upsert, ordering, older record of an id",
        "ordering=none external.version=none, ordering, or external.version",
        "ordering=none write.method=create, ordering, older record of an id",
        "index.template.file=/no/such/file, index.template.file, cannot be read",
        "ssl.ca=/no/such/file, ssl.ca, cannot be read",
        "ssl.ca=-----BEGIN, ssl.ca, no PEM block",
        "ordering=key document.id=none, ordering, needs ids",
        "topics=_tides, index.name, topic _tides has no destination",
        "topics=tides topic.index.regex=(.+)-(.+), index.name, does not match",
        "retry.backoff.ms=3000 retry.backoff.max.ms=2000, retry.backoff.ms, raise that too",
        "connection.credentials.file.path=/run/secret, connection.credentials.file.path, has no effect",
        "index.definition.file=/no/such/file, index.definition.file, cannot be read"
    })
    void saysWhatDoesNotGoTogether(String settings, String key, String reason) {
        List<Problem> problems = type.validate(props(settings.split(" ")));
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.message()).contains(reason).doesNotContain("secret");
        });
        assertThatThrownBy(() -> type.open(props(settings.split(" "))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key);
        assertThat(ElasticsearchTarget.CLIENTS.openCount()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ordering=none",
                "ordering=none key.ignore=true",
                "index.name=a write.method=upsert transforms=r"
                        + " transforms.r.type=org.apache.kafka.connect.transforms.TimestampRouter",
                "ordering=none write.method=create key.ignore=true",
                "ordering=none external.version=${header:v}",
                "ordering=none external.version.type=external_gte",
                "metadata.fields=timestamp:@timestamp",
                "pipeline=${header:p} write.method=${header:op}",
                "index.name=a-${timestamp:yyyy} event.time=${header:t} behavior.on.missing.event.time=fail"
                        + " behavior.on.null.values=delete",
                "index.name=a-${timestamp:yyyy} event.time=${field:$.t} behavior.on.missing.event.time=fail"
                        + " value.envelope=debezium behavior.on.null.values=delete",
                "index.name=a-${field:$.t} value.envelope=debezium behavior.on.null.values=delete",
                "index.name=a-${key}-${header:place} behavior.on.null.values=delete",
                "index.name=a-${timestamp:yyyy}",
                "index.name=a-${timestamp:yyyy} event.time=${field:$.created} behavior.on.missing.event.time=fail"
                        + " write.method=upsert",
                "topics=_tides topic.index.map=_tides:tides",
                "topics=_tides index.name=${field:$.n}-${topic}",
                "topics=_tides transforms=r transforms.r.type=RegexRouter",
                "destination.type=data_stream write.method=create key.ignore=true",
                "destination.type=data_stream write.method=create document.id=${key}",
                "pipeline=geo write.method=create"
            })
    void acceptsWhatLosesNothing(String settings) {
        assertThat(type.validate(props(settings.split(" ")))).isEmpty();
    }

    @Test
    void checksTheIndexDefinition(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("index.json");
        Files.writeString(file, "{\"mappings\":{}");
        assertThat(type.validate(props("index.definition.file=" + file)))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("cannot be read as a JSON object"));
        Files.writeString(file, "{\"mappings\":{}}");
        assertThat(type.validate(props("index.definition.file=" + file))).isEmpty();
    }

    @Test
    void refusesWhatACollectionOfOpenSearchServerlessCannotServe() {
        assertThat(type.validate(props("server.product=opensearch_serverless_time_series")))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.key()).isEqualTo("document.id");
                    assertThat(problem.message()).contains("stored twice");
                });
        assertThat(type.validate(props("server.product=opensearch_serverless_time_series", "document.id=none")))
                .isEmpty();
        assertThat(type.validate(props(
                        "server.product=opensearch_serverless",
                        "destination.type=data_stream",
                        "write.method=create",
                        "document.id=coordinates")))
                .extracting(Problem::key)
                .containsExactly("destination.type");
    }

    private static Map<String, String> props(String... settings) {
        Map<String, String> props = new HashMap<>(Map.of("connection.url", "http://localhost:1"));
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            props.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return props;
    }
}
