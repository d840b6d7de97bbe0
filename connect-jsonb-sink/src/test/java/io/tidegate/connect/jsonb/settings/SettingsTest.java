package io.tidegate.connect.jsonb.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.credentials.CredentialsSettings;
import io.tidegate.connect.common.document.DestinationTemplates;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.jsonb.JsonbSinkConnector;
import io.tidegate.connect.jsonb.JsonbSinkTask;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.row.ExtractedColumn;
import io.tidegate.connect.jsonb.row.MetadataColumn;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.row.UnstorableCharacters;
import io.tidegate.connect.jsonb.settings.DeliverySettings.Guarantee;
import io.tidegate.connect.jsonb.settings.DeliverySettings.OnMissing;
import io.tidegate.connect.testkit.scenarios.SettingsReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingsTest {
    private static final String URL = "jdbc:postgresql://a:5432,b:5433/readings?password=hidden";
    private static final ValueSettings DEFAULT_VALUES = new ValueSettings(NullValues.IGNORE, UnstorableCharacters.FAIL);

    @Test
    void connectionDefaults() {
        assertThat(ConnectionSettings.from(config(Map.of())))
                .isEqualTo(new ConnectionSettings(
                        new ServerLogin(URL, "", new Password(""), CredentialsSettings.ABSENT, CommitDurability.SERVER),
                        new PoolLimits(4, Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(60)),
                        "unnamed"));
    }

    @Test
    void connectionKeys() {
        assertThat(ConnectionSettings.from(config(Map.of(
                        "name", "orders",
                        "connection.user", "u",
                        "connection.password", "p",
                        "connection.pool.max.size", "7",
                        "connection.pool.wait.ms", "300",
                        "connection.timeout.ms", "1500",
                        "socket.timeout.ms", "2500",
                        "commit.durability", "off"))))
                .isEqualTo(new ConnectionSettings(
                        new ServerLogin(URL, "u", new Password("p"), CredentialsSettings.ABSENT, CommitDurability.OFF),
                        new PoolLimits(7, Duration.ofMillis(300), Duration.ofMillis(1500), Duration.ofMillis(2500)),
                        "orders"));
    }

    @Test
    void valueDefaults() {
        assertThat(ValueSettings.from(config(Map.of()))).isEqualTo(DEFAULT_VALUES);
    }

    @Test
    void valueKeys() {
        assertThat(ValueSettings.from(config(Map.of(
                        "behavior.on.null.values", "fail",
                        "behavior.on.unstorable.characters", "strip"))))
                .isEqualTo(new ValueSettings(NullValues.FAIL, UnstorableCharacters.STRIP));
    }

    @Test
    void tableDefaults() {
        assertThat(TableSettings.from(config(Map.of())))
                .isEqualTo(new TableSettings(DestinationTemplates.of(Template.parse("${topic}")), false));
    }

    @Test
    void tableKeys() {
        TableSettings settings = TableSettings.from(config(Map.of(
                "table.name.format", "${1}.${2}",
                "topic.table.map", "a:x.a,b:\"b.c\"",
                "topic.table.regex", "(.+)\\.(.+)",
                "auto.create", "true")));

        assertThat(settings.names().common()).containsExactly(Template.parse("${1}"), Template.parse("${2}"));
        assertThat(settings.names().byTopic())
                .isEqualTo(Map.of(
                        "a", List.of(Template.parse("x"), Template.parse("a")), "b", List.of(Template.parse("b.c"))));
        assertThat(settings.names().topicPattern())
                .hasValueSatisfying(pattern -> assertThat(pattern.pattern()).isEqualTo("(.+)\\.(.+)"));
        assertThat(settings.isCreated()).isTrue();
    }

    @Test
    void rowDefaults() {
        assertThat(RowSettings.from(config(Map.of())))
                .isEqualTo(new RowSettings(
                        "doc", KeyMode.NONE, List.of(), List.of(), List.of(), FieldSettings.NONE, DEFAULT_VALUES));
    }

    @Test
    void rowKeys() {
        assertThat(RowSettings.from(config(Map.of(
                        "value.column.name", "body",
                        "pk.mode", "record_value",
                        "pk.fields", "id,day:$.at.day",
                        "metadata.columns", "offset,headers:h",
                        "extract.columns", "level:$.v::numeric(10),raw:$.raw"))))
                .isEqualTo(new RowSettings(
                        "body",
                        KeyMode.RECORD_VALUE,
                        List.of(
                                new KeyField("id", JsonPath.parse("$.id")),
                                new KeyField("day", JsonPath.parse("$.at.day"))),
                        List.of(
                                new MetadataColumn(RowField.OFFSET, "__connect_offset"),
                                new MetadataColumn(RowField.HEADERS, "h")),
                        List.of(
                                new ExtractedColumn("level", JsonPath.parse("$.v"), Optional.of("numeric(10)")),
                                new ExtractedColumn("raw", JsonPath.parse("$.raw"), Optional.empty())),
                        FieldSettings.NONE,
                        DEFAULT_VALUES));
    }

    @Test
    void kafkaCoordinatesHaveColumnsByDefault() {
        assertThat(RowSettings.from(config(Map.of("pk.mode", "kafka"))).keyColumns())
                .extracting(Column::name)
                .containsExactly("__connect_topic", "__connect_partition", "__connect_offset");
    }

    @Test
    void insertDefaults() {
        assertThat(InsertSettings.from(config(Map.of())))
                .isEqualTo(
                        new InsertSettings(InsertMode.INSERT, InsertMethod.AUTO, false, StaleGuard.NONE, false, false));
    }

    @Test
    void insertKeys() {
        assertThat(InsertSettings.from(config(Map.of(
                        "insert.mode", "upsert",
                        "insert.method", "unnest",
                        "delete.enabled", "true",
                        "stale.write.guard", "offset",
                        "skip.unchanged", "true"))))
                .isEqualTo(new InsertSettings(
                        InsertMode.UPSERT, InsertMethod.UNNEST, true, new StaleGuard("offset"), true, false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "extract.columns | c:$.c::int; DROP TABLE t | is not the name of a type",
                "extract.columns | $.c                      | is not of the form column:$.path::type",
                "extract.columns | c:$.                     | $.",
                "metadata.columns | ofset                   | is none of headers, key, offset, partition,"
                        + " source_position, timestamp, topic",
                "pk.fields | :$.id                          | names no column"
            })
    void aColumnThatCannotBeReadIsNamed(String key, String value, String message) {
        assertThatThrownBy(() -> config(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stale.write.guard | insert.mode=upsert pk.mode=record_key pk.fields=id stale.write.guard=offset",
                "stale.write.guard | insert.mode=upsert pk.mode=record_key pk.fields=id stale.write.guard=version",
                "stale.write.guard | metadata.columns=topic,partition,offset stale.write.guard=offset",
                "stale.write.guard | columns.from.fields=add insert.mode=upsert pk.mode=record_key pk.fields=id"
                        + " stale.write.guard=OFFSET",
                "stale.write.guard | auto.create=true insert.mode=upsert pk.mode=record_key pk.fields=id"
                        + " extract.columns=v:$.v stale.write.guard=v",
                "stale.write.guard | insert.mode=upsert pk.mode=record_key pk.fields=id metadata.columns=offset"
                        + " stale.write.guard=offset",
                "stale.write.guard | insert.mode=upsert pk.mode=record_key pk.fields=id"
                        + " metadata.columns=partition,offset stale.write.guard=offset",
                "ordering | ordering=none insert.mode=upsert pk.mode=record_key pk.fields=id",
                "ordering | ordering=none insert.mode=upsert pk.mode=record_key pk.fields=id"
                        + " metadata.columns=topic,partition,offset stale.write.guard=offset",
                "ordering | ordering=none insert.mode=upsert pk.mode=record_key pk.fields=id value.envelope=debezium"
                        + " metadata.columns=source_position stale.write.guard=source_position",
                "ordering | ordering=none insert.mode=ignore pk.mode=record_key pk.fields=id",
                "ordering | ordering=none insert.mode=upsert pk.mode=record_key pk.fields=id delete.enabled=true"
                        + " metadata.columns=topic,partition,offset stale.write.guard=offset",
                "ordering | ordering=key",
                "ordering | ordering=key pk.mode=kafka",
                "connection.credentials.file.path | connection.credentials.file.path=/run/secret",
                "connection.credentials.file.scheme | connection.credentials.provider=file"
                        + " connection.credentials.file.path=/run/secret connection.credentials.file.scheme=barer",
                "ordering | ordering=none insert.mode=merge pk.mode=record_key pk.fields=id extract.columns=v:$.v"
                        + " stale.write.guard=v",
                "retry.backoff.ms | retry.backoff.ms=3000 retry.backoff.max.ms=2000",
                "commit.durability | commit.durability=off",
                "stale.write.guard | columns.from.fields=known insert.mode=upsert pk.mode=record_key pk.fields=id"
                        + " metadata.columns=timestamp:ts stale.write.guard=ts",
                "stale.write.guard | columns.from.fields=known insert.mode=upsert pk.mode=record_key pk.fields=id"
                        + " stale.write.guard=id",
                "skip.unchanged | skip.unchanged=true",
                "skip.unchanged | insert.mode=upsert pk.mode=record_key pk.fields=id skip.unchanged=true"
                        + " metadata.columns=topic,partition,offset stale.write.guard=offset",
                "skip.unchanged | insert.mode=merge pk.mode=record_key pk.fields=id skip.unchanged=true"
                        + " value.envelope=debezium metadata.columns=source_position stale.write.guard=source_position",
                "insert.method | insert.method=copy extract.columns=c:$.c",
                "insert.method | insert.method=copy insert.mode=merge pk.mode=record_key pk.fields=id",
                "extract.columns | extract.columns=doc:$.c",
                "metadata.columns | metadata.columns=offset:x,topic:x",
                "delete.enabled | delete.enabled=true pk.mode=record_value pk.fields=id",
                "delete.enabled | delete.enabled=true pk.mode=kafka value.envelope=debezium",
                "metadata.columns | metadata.columns=source_position",
                "stale.write.guard | insert.mode=upsert pk.mode=record_key pk.fields=id value.envelope=debezium"
                        + " stale.write.guard=source_position",
                "debezium.unavailable.values | insert.mode=upsert pk.mode=record_key pk.fields=id"
                        + " value.envelope=debezium debezium.unavailable.values=keep",
                "value.envelope | value.envelope=debezium transforms=a,unwrap"
                        + " transforms.unwrap.type=io.debezium.transforms.ExtractNewRecordState",
                "table.name.format | table.name.format=${1}",
                "insert.mode | insert.mode=merge pk.mode=record_key pk.fields=id transforms=r"
                        + " transforms.r.type=org.apache.kafka.connect.transforms.TimestampRouter",
                "delete.enabled | insert.mode=upsert pk.mode=record_key pk.fields=id delete.enabled=true transforms=r"
                        + " transforms.r.type=TimestampRouter",
                "unknown.fields | columns.from.fields=known unknown.fields=refuse value.envelope=debezium"
                        + " pk.mode=record_key pk.fields=id insert.mode=upsert delete.enabled=true",
                "extract.columns | columns.from.fields=known extract.columns=c:$.c",
                "unknown.fields | unknown.fields=refuse",
                "pk.fields | pk.mode=record_value"
            })
    void namesTheSettingThatDoesNotFitTheOthers(String key, String settings) {
        assertThat(new PostgresTargetType().validate(props(Props.of(settings))))
                .extracting(Problem::key)
                .containsExactly(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ordering=none insert.mode=upsert pk.mode=kafka",
                "ordering=none insert.mode=upsert pk.mode=record_key pk.fields=id extract.columns=v:$.v"
                        + " stale.write.guard=v",
                "topics=a,b table.name.format=t insert.mode=upsert pk.mode=record_key pk.fields=id"
                        + " metadata.columns=topic,partition,offset stale.write.guard=offset",
                "retry.backoff.ms=3000",
                "commit.durability=local",
                "insert.mode=upsert pk.mode=record_key pk.fields=id metadata.columns=topic,partition,offset"
                        + " stale.write.guard=Offset",
                "auto.create=true insert.mode=upsert pk.mode=record_key pk.fields=id extract.columns=v:$.v::bigint"
                        + " stale.write.guard=v",
                "delete.enabled=true pk.mode=record_value pk.fields=id value.envelope=debezium",
                "insert.mode=upsert pk.mode=record_key pk.fields=id value.envelope=debezium"
                        + " metadata.columns=source_position stale.write.guard=source_position",
                "insert.mode=merge pk.mode=record_key pk.fields=id value.envelope=debezium"
                        + " debezium.unavailable.values=keep",
                "transforms=unwrap transforms.unwrap.type=io.debezium.transforms.ExtractNewRecordState",
                "columns.from.fields=known insert.mode=upsert pk.mode=record_key pk.fields=id stale.write.guard=version",
                "commit.durability=off delivery.guarantee=exactly_once"
            })
    void takesWhatFits(String settings) {
        assertThat(new PostgresTargetType().validate(props(Props.of(settings)))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "readOnly=true, readOnly",
        "binaryTransfer=false, binaryTransfer",
        "binaryTransferEnable=25, binaryTransferEnable",
        "binaryTransferDisable=1009, binaryTransferDisable",
        "preferQueryMode=simple, preferQueryMode",
        "targetServerType=secondary, targetServerType",
        "targetServerType=preferSecondary, targetServerType",
        "targetServerType=preferSlave, targetServerType"
    })
    void refusesWhatInTheUrlKeepsTheSinkFromWriting(String property, String name) {
        assertThatThrownBy(() -> config(Map.of("connection.url", "jdbc:postgresql://localhost/db?" + property)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("connection.url sets " + name + " so that the sink might not write");
    }

    @Test
    void deliveryDefaults() {
        assertThat(DeliverySettings.from(config(Map.of())))
                .isEqualTo(new DeliverySettings(
                        Guarantee.AT_LEAST_ONCE, "unnamed", TableName.parse("tidegate_offsets"), OnMissing.WARN));
    }

    @Test
    void deliveryKeys() {
        assertThat(DeliverySettings.from(config(Map.of(
                        "name", "c",
                        "delivery.guarantee", "exactly_once",
                        "offsets.table", "ops.offsets",
                        "behavior.on.missing.records", "fail"))))
                .isEqualTo(new DeliverySettings(
                        Guarantee.EXACTLY_ONCE, "c", TableName.parse("ops.offsets"), OnMissing.FAIL));
    }

    /** As other sinks do, with a column for each field that comes. A table needs a first one. */
    @Test
    void aTableIsNotCreatedWithoutAColumn() {
        String settings = "auto.create=true columns.from.fields=add unknown.fields=ignore insert.mode=insert";

        assertThat(new PostgresTargetType().validate(props(Props.of(settings))))
                .extracting(Problem::key)
                .containsExactly("auto.create");
        assertThat(new PostgresTargetType().validate(props(Props.of(settings + " metadata.columns=offset"))))
                .isEmpty();
    }

    @Test
    void exactlyOnceNeedsTheOrderOfPartitions() {
        Map<String, String> props = props(Map.of("delivery.guarantee", "exactly_once", "ordering", "none"));

        assertThat(new PostgresTargetType().validate(props))
                .extracting(Problem::key)
                .containsExactly("ordering");
    }

    @ParameterizedTest
    @CsvSource({
        "a_${timestamp:yyyy}, none, upsert, delete.enabled, has its own time",
        "a_${timestamp:yyyy}, debezium, upsert, delete.enabled, has its own time",
        "a_${field:$.t}, none, upsert, delete.enabled, has no field for the name",
        "a_${timestamp:yyyy}, none, merge, insert.mode, the table of its own timestamp",
        "a_${field:$.t}, debezium, upsert, ,",
        "a_${key}_${header:place}, none, upsert, ,"
    })
    void aLaterRecordOfARowNamesItsTable(String table, String envelope, String mode, String key, String reason) {
        Map<String, String> props = new HashMap<>(props(Map.of(
                "table.name.format", table,
                "value.envelope", envelope,
                "insert.mode", mode,
                "pk.mode", "record_key",
                "pk.fields", "id")));
        props.put("delete.enabled", Boolean.toString(!mode.equals("merge")));
        assertThat(new PostgresTargetType().validate(props)).satisfies(problems -> {
            assertThat(problems).extracting(Problem::key).isEqualTo(key == null ? List.of() : List.of(key));
            assertThat(problems)
                    .allSatisfy(problem -> assertThat(problem.message()).contains(reason));
        });
    }

    @Test
    void namesWhatDoesNotGoTogether() {
        Map<String, String> props = props(Map.of("insert.mode", "upsert", "delete.enabled", "true", "pk.fields", "id"));

        assertThat(new JsonbSinkConnector()
                        .validate(props).configValues().stream()
                                .filter(value -> !value.errorMessages().isEmpty())
                                .map(value -> new Problem(
                                        value.name(), value.errorMessages().get(0))))
                .containsExactlyInAnyOrder(
                        new Problem("pk.fields", "pk.mode=none takes no columns, and 1 are named"),
                        new Problem(
                                "pk.mode",
                                "insert.mode=upsert needs to know what identifies a row: kafka, record_key or"
                                        + " record_value"),
                        new Problem("delete.enabled", "deleting needs pk.mode=record_key"));
    }

    @Test
    void enumerationsAreReadInAnyCase() {
        AbstractConfig config = config(Map.of(
                "insert.mode", "UPSERT",
                "insert.method", "Unnest",
                "pk.mode", "Record_Key",
                "delivery.guarantee", "EXACTLY_ONCE",
                "stale.write.guard", "Source_Position"));

        assertThat(InsertSettings.from(config).mode()).isEqualTo(InsertMode.UPSERT);
        assertThat(InsertSettings.from(config).method()).isEqualTo(InsertMethod.UNNEST);
        assertThat(InsertSettings.from(config).guard().isSourcePosition()).isTrue();
        assertThat(RowSettings.from(config).keyMode()).isEqualTo(KeyMode.RECORD_KEY);
        assertThat(DeliverySettings.from(config).isExactlyOnce()).isTrue();
    }

    @Test
    void connectIsToldTheValuesToChooseFrom() {
        JsonbSinkConnector connector = new JsonbSinkConnector();

        SettingsReference.checkChoices(
                connector.config(),
                connector.validate(props(Map.of("validate.server", "never"))).configValues());
    }

    @Test
    void warnsOfChangeEventsThatWouldNotDoWhatTheySay() {
        String unwrap = "transforms=unwrap transforms.unwrap.type=io.debezium.transforms.ExtractNewRecordState";

        assertThat(new PostgresTargetType().warnings(props(Props.of(unwrap + " value.converter.schemas.enable=false"))))
                .singleElement()
                .asString()
                .contains("unwrap", "whole events are written", "value.envelope=debezium");
        assertThat(warningsOfChanges("insert.mode=upsert"))
                .singleElement()
                .asString()
                .startsWith("delete.enabled is false");
        String copy = "pk.mode=record_key delete.enabled=true insert.mode=";
        assertThat(warningsOfChanges(copy + "upsert")).isEmpty();
        assertThat(warningsOfChanges(copy + "ignore"))
                .singleElement()
                .asString()
                .contains("insert.mode=ignore keeps the first row of each key, so updates are dropped");
        assertThat(warningsOfChanges("delete.enabled=true pk.mode=none"))
                .singleElement()
                .asString()
                .contains("insert.mode=insert replaces no row, so updates are added as rows");
        assertThat(new PostgresTargetType().warnings(props(Props.of(unwrap)))).isEmpty();
        String events = "value.envelope=debezium insert.mode=upsert delete.enabled=true pk.fields=id ";
        String byField = "table.name.format=a_${field:$.b} ";
        assertThat(new PostgresTargetType().warnings(props(Props.of(events + byField + "pk.mode=record_value"))))
                .singleElement()
                .asString()
                .contains("table.name.format, pk.fields: fields of the row", "REPLICA IDENTITY FULL");
        assertThat(new PostgresTargetType()
                        .warnings(props(Props.of(byField + "insert.mode=upsert pk.mode=record_key"))))
                .isEmpty();
    }

    private static List<String> warningsOfChanges(String settings) {
        return new PostgresTargetType().warnings(props(Props.of("value.envelope=debezium " + settings)));
    }

    @Test
    void warnsOfATableThatNoTopicUses() {
        String map = "topic.table.map=tides:a,waves:b ";
        assertThat(new PostgresTargetType().warnings(props(Props.of(map + "topics=tides"))))
                .containsExactly("topic.table.map has entries without effect: topics does not name waves");
        assertThat(new PostgresTargetType().warnings(props(Props.of(map + "topics=tides,waves"))))
                .isEmpty();
        assertThat(new PostgresTargetType()
                        .warnings(props(Props.of(map + "topics=tides transforms=r transforms.r.type=RegexRouter"))))
                .as("topics that a transform may rename")
                .isEmpty();
    }

    @Test
    void namesTheTopicThatHasNoTable() {
        String name = "x".repeat(64);
        assertThat(new PostgresTargetType().validate(props(Props.of("topics=tides," + name))))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.key()).isEqualTo("table.name.format");
                    assertThat(problem.message())
                            .contains("topic " + name + " has no destination", "63 bytes", "see table.name.format");
                });
        assertThat(new PostgresTargetType().validate(props(Props.of("topics=tides,a.b topic.table.regex=(.+)\\.(.+)"))))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("topic tides", "does not match"));
        assertThat(new PostgresTargetType()
                        .validate(props(Props.of("table.name.format=${topic}_${key} topics=" + name))))
                .isEmpty();
    }

    @Test
    void warnsOfAReactionThatNeverComes() {
        String fail = "behavior.on.missing.records=fail";
        assertThat(new PostgresTargetType().warnings(props(Props.of(fail))))
                .containsExactly("behavior.on.missing.records=fail has no effect: only delivery.guarantee=exactly_once"
                        + " finds missing records");
        assertThat(new PostgresTargetType().warnings(props(Props.of(fail + " delivery.guarantee=exactly_once"))))
                .isEmpty();
    }

    @Test
    void warnsOfAConsumerThatSkipsRecordsOrCannotBegin() {
        String reset = "delivery.guarantee=exactly_once consumer.override.auto.offset.reset=";
        assertThat(new PostgresTargetType().warnings(props(Props.of(reset + "latest"))))
                .containsExactly("consumer.override.auto.offset.reset is latest: with delivery.guarantee=exactly_once,"
                        + " records that Kafka still has can be skipped once it has removed those before them;"
                        + " use earliest");
        assertThat(new PostgresTargetType().warnings(props(Props.of(reset + "none"))))
                .containsExactly("consumer.override.auto.offset.reset is none: with delivery.guarantee=exactly_once, no"
                        + " task can start once Kafka has removed the last record that was written; use earliest");
        assertThat(new PostgresTargetType().warnings(props(Props.of(reset + "earliest"))))
                .isEmpty();
        assertThat(new PostgresTargetType().warnings(props(Props.of("consumer.override.auto.offset.reset=latest"))))
                .isEmpty();
    }

    @Test
    void aWrongUrlIsRefusedWithoutRepeatingIt() {
        List<String> logged = new ArrayList<>();
        Logger driver = Logger.getLogger("org.postgresql");
        Handler handler = new StreamHandler() {
            @Override
            public synchronized void publish(LogRecord line) {
                logged.add(line.getMessage() + Arrays.toString(line.getParameters()));
            }
        };
        driver.addHandler(handler);
        try {
            assertThatThrownBy(() -> config(Map.of("connection.url", "jdbc:postgresql://a:5432?password=secret")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageNotContaining("secret");
        } finally {
            driver.removeHandler(handler);
        }
        assertThat(logged).as("by the driver").isNotEmpty().noneMatch(line -> line.contains("secret"));
        assertThatThrownBy(() -> config(Map.of("connection.url", "jdbc:oracle:secret")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("connection.url")
                .hasMessageNotContaining("secret");
    }

    @Test
    void noTextOfTheSettingsShowsSecrets() {
        ConnectionSettings settings =
                ConnectionSettings.from(config(Map.of("connection.user", "u", "connection.password", "hidden")));

        assertThat(settings).hasToString("a:5432,b:5433/readings as u");
        assertThat(settings.toString()).doesNotContain("hidden");
    }

    @Test
    void debeziumsAndAivensNamesAreRead() {
        Map<String, String> theirs = props(Map.of(
                "connection.username", "u",
                "primary.key.mode", "record_key",
                "primary.key.fields", "id",
                "topics.to.tables.mapping", "a:b"));

        assertThat(new PostgresTargetType().aliases().resolve(theirs))
                .containsEntry("connection.user", "u")
                .containsEntry("pk.mode", "record_key")
                .containsEntry("pk.fields", "id")
                .containsEntry("topic.table.map", "a:b");
    }

    @Test
    void everyOtherNameStandsForASettingOfOurs() {
        PostgresTargetType type = new PostgresTargetType();

        assertThat(type.config().names()).containsAll(type.aliases().names().values());
        assertThat(type.config().names())
                .doesNotContainAnyElementsOf(type.aliases().names().keySet());
    }

    @Test
    void theConnectorHasAVersion() {
        assertThat(new JsonbSinkConnector().version())
                .isEqualTo(new JsonbSinkTask().version())
                .matches("\\d.*");
    }

    private static AbstractConfig config(Map<String, String> props) {
        return new AbstractConfig(new JsonbSinkConnector().config(), props(props), false);
    }

    private static Map<String, String> props(Map<String, String> props) {
        Map<String, String> all = new HashMap<>(props);
        all.putIfAbsent("connection.url", URL);
        return all;
    }
}
