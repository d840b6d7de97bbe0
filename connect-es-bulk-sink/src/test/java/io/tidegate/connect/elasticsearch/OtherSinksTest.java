package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.DocumentSettings;
import io.tidegate.connect.elasticsearch.settings.IdSource;
import io.tidegate.connect.testkit.net.Certificates;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configurations with the settings that other sinks document, with nothing changed but the class. */
final class OtherSinksTest {
    private static final Set<String> OF_CONNECT = Set.of(
            "name",
            "connector.class",
            "tasks.max",
            "topics",
            "key.converter",
            "value.converter",
            "value.converter.schemas.enable");

    private final ElasticsearchTargetType type = new ElasticsearchTargetType();

    @Test
    void confluentsFirstExample() {
        Map<String, String> moved = moved("""
                connector.class=io.confluent.connect.elasticsearch.ElasticsearchSinkConnector
                tasks.max=1
                topics=test-elasticsearch-sink
                key.ignore=true
                connection.url=http://localhost:9200
                type.name=kafka-connect
                """);

        assertThat(documents(moved).id()).isEqualTo(IdSource.COORDINATES);
    }

    @Test
    void confluentsOtherSettings() {
        Map<String, String> moved = moved("""
                connection.url=es1:9200,es2:9200
                connection.username=elastic
                connection.password=changeme
                batch.size=2000
                bulk.size.bytes=5242880
                max.in.flight.requests=5
                max.buffered.records=20000
                linger.ms=1
                flush.timeout.ms=180000
                flush.synchronously=false
                max.retries=5
                retry.backoff.ms=100
                connection.compression=false
                max.connection.idle.time.ms=60000
                connection.timeout.ms=1000
                read.timeout.ms=3000
                schema.ignore=true
                topic.schema.ignore=a
                topic.key.ignore=b
                compact.map.entries=true
                drop.invalid.message=false
                log.sensitive.data=false
                behavior.on.null.values=DELETE
                behavior.on.malformed.documents=WARN
                write.method=UPSERT
                proxy.host=proxy
                proxy.port=3128
                kerberos.keytab.path=/keytab
                """);

        assertThat(connection(moved).nodes()).isEqualTo("http://es1:9200,http://es2:9200 through the proxy proxy:3128");
        assertThat(connection(moved).maxIdle()).hasSeconds(60);
        assertThat(documents(moved).writeMethod().isMerge()).isTrue();
        assertThat(connection(moved).proxy()).hasValueSatisfying(proxy -> {
            assertThat(proxy.host()).isEqualTo("proxy");
            assertThat(proxy.port()).isEqualTo(3128);
        });
        assertThat(type.aliases().withoutEffect(Map.of("kerberos.keytab.path", "k", "type.name", "t")))
                .hasEntrySatisfying(
                        "kerberos.keytab.path", advice -> assertThat(advice).contains("API key"))
                .containsEntry("type.name", "not needed, remove it");
    }

    @Test
    void confluentsTls(@TempDir Path folder) {
        Certificates authority = Certificates.authority(folder);
        Map<String, String> moved = moved("""
                connection.url=https://localhost:9200
                connection.username=elastic
                connection.password=changeme
                elastic.security.protocol=SSL
                elastic.https.ssl.truststore.location=%s
                elastic.https.ssl.truststore.password=%s
                elastic.https.ssl.truststore.type=JKS
                elastic.https.ssl.keystore.location=%s
                elastic.https.ssl.keystore.password=%s
                elastic.https.ssl.key.password=%s
                elastic.https.ssl.keystore.type=PKCS12
                elastic.https.ssl.protocol=TLSv1.3
                elastic.https.ssl.endpoint.identification.algorithm=
                """.formatted(
                        authority.trustStore(),
                        Certificates.STORE_PASSWORD,
                        authority.client("me").issue().keyStore(),
                        Certificates.STORE_PASSWORD,
                        Certificates.STORE_PASSWORD));

        assertThat(moved).containsEntry("ssl.verification.mode", "certificate");
        assertThat(tls(moved)).asString().contains(authority.trustStore().toString(), "a client certificate");
    }

    @Test
    void kafkasPem(@TempDir Path folder) throws IOException {
        Certificates authority = Certificates.authority(folder);
        Certificates.Identity me = authority.client("me").issue();
        Map<String, String> given = new HashMap<>(Map.of(
                "connection.url",
                "https://localhost:9200",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.certificates",
                Files.readString(authority.caCertificate()),
                "ssl.keystore.type",
                "PEM",
                "ssl.keystore.certificate.chain",
                Files.readString(me.certificate()),
                "ssl.keystore.key",
                Files.readString(me.privateKey())));
        Map<String, String> moved = checked(given);

        assertThat(moved.get("ssl.ca")).contains("BEGIN CERTIFICATE");
        assertThat(tls(moved)).asString().contains("PEM text", "a client certificate");
    }

    @ParameterizedTest
    @CsvSource({
        "ALIAS_INDEX, alias, index",
        "ALIAS_DATASTREAM, alias, create",
        "DATASTREAM, data_stream, create",
        "INDEX, any, index"
    })
    void confluentsResources(String usage, String destination, String method) {
        Map<String, String> moved = moved("""
                connection.url=http://localhost:9200
                topic.to.external.resource.mapping=tides:tides-write
                external.resource.usage=%s
                write.method=INSERT
                """.formatted(usage));

        AbstractConfig config = config(moved);
        assertThat(config.getString("destination.type")).isEqualTo(destination);
        assertThat(documents(moved).writeMethod().action()).isEqualTo(method);
        assertThat(config.getList("topic.index.map")).containsExactly("tides:tides-write");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "data.stream.enabled=false",
                "data.stream.type=LOGS",
                "data.stream.type=NONE\ndata.stream.dataset=tides"
            })
    void aFieldForADataStreamsTimeIsNotUsedForAnIndex(String others) {
        assertThat(moved("connection.url=http://localhost:9200\ndata.stream.timestamp.field=time\n" + others))
                .doesNotContainKey("event.time");
    }

    @Test
    void confluentsDataStream() {
        Map<String, String> moved = moved("""
                connection.url=http://localhost:9200
                data.stream.type=LOGS
                data.stream.dataset=tides
                data.stream.timestamp.field=time, @timestamp, odd name
                """);

        assertThat(moved)
                .containsEntry("index.name", "logs-tides-${topic}")
                .containsEntry("destination.type", "data_stream")
                .containsEntry("document.id", "${key}")
                .containsEntry("event.time", "${field:$['time']},${field:$['odd name']}");
        assertThat(documents(moved).eventTime().fields())
                .containsExactlyInAnyOrder(JsonPath.parse("time"), JsonPath.parse("$['odd name']"));
        assertThat(type.aliases()
                        .readings(Map.of(
                                "data.stream.type", "logs", "data.stream.dataset", "tides", "key.ignore", "true")))
                .containsOnly(Map.entry(
                        "data.stream.dataset",
                        "destination.type=data_stream, index.name=logs-tides-${topic}, write.method=create"));
    }

    @Test
    void confluentsVersionsAndIds() {
        assertThat(moved("connection.url=http://localhost:9200\nexternal.version.header=v\n"))
                .containsEntry("external.version", "${header:v}");
        assertThat(documents(moved("connection.url=http://localhost:9200\nuse.autogenerated.ids=TRUE\n"))
                        .id())
                .isEqualTo(IdSource.NONE);
    }

    @Test
    void aivensFirstExample() {
        moved("""
                name=opensearch-sink
                connector.class=io.aiven.kafka.connect.opensearch.OpensearchSinkConnector
                tasks.max=1
                topics=connect-test
                key.ignore=true
                connection.url=http://localhost:9200
                type.name=kafka-connect
                key.converter=org.apache.kafka.connect.storage.StringConverter
                value.converter=org.apache.kafka.connect.json.JsonConverter
                value.converter.schemas.enable=false
                """);
    }

    @ParameterizedTest
    @CsvSource({"none, NONE", "record.key, KEY", "topic.partition.offset, COORDINATES"})
    void aivensIds(String strategy, IdSource.Kind kind) {
        Map<String, String> moved = moved("""
                connection.url=http://localhost:9200
                key.ignore=true
                key.ignore.id.strategy=%s
                behavior.on.version.conflict=report
                behavior.on.malformed.documents=report
                """.formatted(strategy));

        assertThat(documents(moved).id().kind()).isEqualTo(kind);
        assertThat(moved)
                .containsEntry("behavior.on.version.conflicts", "dlq")
                .containsEntry("behavior.on.malformed.documents", "dlq");
    }

    @Test
    void aivensUpsertsAndTls() {
        Map<String, String> moved = moved("""
                connection.url=https://localhost:9200
                index.write.method=upsert
                connection.ssl.truststore.type=PKCS12
                connection.trust.all.certificates=true
                """);

        assertThat(documents(moved).writeMethod().isMerge()).isTrue();
        assertThat(moved).containsEntry("ssl.verification.mode", "none");
    }

    @ParameterizedTest
    @CsvSource({
        "connection.trust.all.certificates=true ssl.verification.mode=full, ssl.verification.mode",
        "use.autogenerated.ids=true document.id=key, document.id",
        "external.resource.usage=DATASTREAM destination.type=alias, destination.type",
        "elastic.https.ssl.truststore.location=/a ssl.truststore.location=/b, ssl.truststore.location"
    })
    void twoValuesOfOneSettingAreAContradiction(String settings, String key) {
        assertThat(type.aliases().contradictions(properties(settings.replace(' ', '\n'))))
                .extracting(Problem::key)
                .containsExactly(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "external.resource.usage=DATASTREAM write.method=INSERT",
                "data.stream.enabled=true index.write.method=insert",
                "connection.trust.all.certificates=true connection.ssl.endpoint.identification.algorithm=",
                "data.stream.type=LOGS data.stream.dataset=tides external.resource.usage=DATASTREAM"
            })
    void whatTheOtherSinksTakeTogetherIsNone(String settings) {
        assertThat(type.aliases().contradictions(properties(settings.replace(' ', '\n'))))
                .isEmpty();
    }

    @Test
    void aivensDataStream() {
        assertThat(moved("""
                        connection.url=http://localhost:9200
                        key.ignore=true
                        data.stream.enabled=true
                        data.stream.prefix=logs
                        data.stream.timestamp.field=@timestamp
                        data.streams.existing.index.template.name=mine
                        """)).containsEntry("index.name", "logs-${topic}").containsEntry("write.method", "create");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "connection.url=http://es:9200 ssl.ca=/ca.pem | settings of TLS have no effect",
                "connection.url=http://es:9200 elastic.https.ssl.keystore.location=/me.p12 | settings of TLS have no effect",
                "connection.url=https://es1,http://es2:9200 | what goes to [http://es2:9200] is not encrypted",
                "connection.url=http://es:9200 connection.username=a connection.password=secret | without encryption",
                "connection.url=http://es:9200 connection.api.key=secret | without encryption",
                "connection.url=http://es:9200 pipeline=geo behavior.on.null.values=delete | deletions miss their documents",
                "connection.url=http://es:9200 topics=tides topic.index.map=waves:w | topic.index.map has entries without",
                "connection.url=http://es:9200 value.envelope=debezium write.method=create | updates of change events",
                "connection.url=http://es:9200 pipeline=${header:p} write.method=${header:op} | deletions miss",
                "connection.url=http://es:9200 value.envelope=debezium write.method=upsert | fields that the source removed stay",
                "connection.url=http://es:9200 value.envelope=debezium write.method=${header:m} | debezium.json.columns: upsert",
                "connection.url=http://es:9200 value.envelope=debezium index.name=a-${field:$.b} | index.name: fields of the row",
                "connection.url=http://es:9200 value.envelope=debezium routing=${field:$.b} document.id=${field:$.b} | document.id, routing: fields",
                "connection.url=http://es:9200 value.envelope=debezium index.name=a-${timestamp:yyyy} event.time=${field:$.b} | index.name: fields",
                "connection.url=http://es:9200 value.envelope=debezium external.version=${field:$.b} behavior.on.null.values=delete | external.version: fields"
            })
    void saysWhatIsPerhapsNotMeant(String settings, String warning) {
        assertThat(type.warnings(properties(settings.replace(' ', '\n'))))
                .singleElement()
                .asString()
                .contains(warning)
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "connection.url=http://es:9200",
        "connection.url=http://es:9200 pipeline=geo",
        "connection.url=http://es:9200 topics=tides topic.index.map=tides:w",
        "connection.url=http://es:9200 value.envelope=debezium write.method=create document.id=coordinates",
        "connection.url=http://es:9200 value.envelope=debezium write.method=upsert debezium.json.columns=",
        "connection.url=http://es:9200 write.method=upsert",
        "connection.url=http://es:9200 index.name=a-${field:$.b}",
        "connection.url=http://es:9200 value.envelope=debezium index.name=a-${field:$.b} document.id=coordinates",
        "connection.url=http://es:9200 value.envelope=debezium index.name=a-${timestamp:yyyy}",
        "connection.url=http://es:9200 value.envelope=debezium external.version=${field:$.b}",
        "connection.url=http://es:9200 pipeline=_none behavior.on.null.values=delete",
        "connection.url=https://es ssl.ca=/ca.pem connection.username=a connection.password=b",
        "connection.url=http://localhost:9200 connection.username=a connection.password=b"
    })
    void saysNothingOfWhatIsMeant(String settings) {
        assertThat(type.warnings(properties(settings.replace(' ', '\n')))).isEmpty();
    }

    /** The configuration by our names, which must be usable, and name what is not used. */
    private Map<String, String> moved(String configuration) {
        return checked(properties(configuration));
    }

    private Map<String, String> checked(Map<String, String> given) {
        Map<String, String> moved = type.aliases().resolve(given);
        assertThat(type.config().validate(moved))
                .allSatisfy(value -> assertThat(value.errorMessages()).isEmpty());
        assertThat(type.validate(moved)).isEmpty();
        Set<String> unknown = new HashSet<>(moved.keySet());
        unknown.removeAll(type.config().names());
        unknown.removeAll(OF_CONNECT);
        assertThat(type.aliases().withoutEffect(given).keySet()).isEqualTo(unknown);
        return moved;
    }

    private static Map<String, String> properties(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> map = new HashMap<>();
        properties.stringPropertyNames().forEach(key -> map.put(key, properties.getProperty(key)));
        return map;
    }

    private AbstractConfig config(Map<String, String> props) {
        return new AbstractConfig(type.config(), props, false);
    }

    private DocumentSettings documents(Map<String, String> props) {
        return DocumentSettings.from(config(props));
    }

    private ConnectionSettings connection(Map<String, String> props) {
        return ConnectionSettings.from(config(props));
    }

    private TlsSettings tls(Map<String, String> props) {
        return connection(props).tls();
    }
}
