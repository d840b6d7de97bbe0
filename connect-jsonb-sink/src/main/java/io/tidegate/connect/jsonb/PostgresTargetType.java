package io.tidegate.connect.jsonb;

import static io.tidegate.connect.common.settings.Problem.when;
import static java.util.Map.entry;

import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.frame.FramingSettings;
import io.tidegate.connect.common.settings.Aliases;
import io.tidegate.connect.common.settings.EnumSetting;
import io.tidegate.connect.common.settings.HeaderTexts;
import io.tidegate.connect.common.settings.KnownTopics;
import io.tidegate.connect.common.settings.LaneSettings;
import io.tidegate.connect.common.settings.Ordering;
import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.settings.RetrySettings;
import io.tidegate.connect.common.settings.TaskSettings;
import io.tidegate.connect.common.settings.ValidationSettings;
import io.tidegate.connect.common.spi.RecordIdentity;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.TargetType;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.task.Version;
import io.tidegate.connect.jsonb.check.PostgresCheck;
import io.tidegate.connect.jsonb.check.RequiredTables;
import io.tidegate.connect.jsonb.client.ConnectionFailures;
import io.tidegate.connect.jsonb.settings.CommitDurability;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import io.tidegate.connect.jsonb.settings.FieldSettings;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.KeyMode;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.SqlStateCodes;
import io.tidegate.connect.jsonb.settings.TableSettings;
import io.tidegate.connect.jsonb.settings.UnknownFields;
import io.tidegate.connect.jsonb.settings.ValueSettings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** PostgreSQL as a kind of target. */
public final class PostgresTargetType implements TargetType {
    static final String VERSION = Version.of(JsonbSinkConnector.class);
    /**
     * An attempt first waits for a connection, and a worker opens few of them. Longer pauses would only delay a
     * failover.
     */
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(2);

    private static final ConfigDef CONFIG = define();

    /** Names of settings in Confluent's, Aiven's and Debezium's JDBC sinks that differ from ours but mean the same. */
    private static final Aliases ALIASES = new Aliases(
            Map.ofEntries(
                    entry("collection.name.format", TableSettings.TABLE_NAME_FORMAT),
                    entry("connection.pool.max_size", ConnectionSettings.POOL_MAX_SIZE),
                    entry("connection.username", ConnectionSettings.USER),
                    entry("flush.max.retries", RetrySettings.MAX_RETRIES),
                    entry("flush.retry.delay.ms", RetrySettings.RETRY_BACKOFF_MS),
                    entry("primary.key.fields", RowSettings.PK_FIELDS),
                    entry("primary.key.mode", RowSettings.PK_MODE),
                    entry("string.output.value.column.name", RowSettings.VALUE_COLUMN),
                    entry("topics.to.tables.mapping", TableSettings.TOPIC_TABLE_MAP)),
            Map.of(),
            Map.of(
                    "auto.evolve", "columns.from.fields=add adds a column for a new field",
                    "connection.attempts", "see max.retries and retry.timeout.ms",
                    "connection.backoff.ms", "see retry.backoff.ms",
                    "db.timezone", "a time is stored as the record has it",
                    "database.time_zone", "a time is stored as the record has it",
                    "dialect.name", "the store is PostgreSQL",
                    "fields.whitelist",
                            "columns.from.fields=known with unknown.fields=ignore stores the fields that have a column",
                    "quote.sql.identifiers", "names are always quoted",
                    "schema.evolution", "columns.from.fields=add adds a column for a new field",
                    "table.types", "the kind of a table is not checked"));

    private static ConfigDef define() {
        ConfigDef def = new ConfigDef();
        ConnectionSettings.define(def);
        TableSettings.define(def);
        RowSettings.define(def);
        InsertSettings.define(def);
        ValueSettings.define(def);
        EnvelopeSettings.define(def);
        DeliverySettings.define(def);
        SqlStateCodes.define(def);
        LaneSettings.define(def, new LaneSettings.Defaults(5_000, 8L << 20, 2));
        RetrySettings.define(def, MAX_BACKOFF);
        TaskSettings.define(def);
        RedriveSettings.define(def);
        ValidationSettings.define(def);
        return def;
    }

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public ConfigDef config() {
        return CONFIG;
    }

    @Override
    public Aliases aliases() {
        return ALIASES;
    }

    @Override
    public List<String> warnings(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(CONFIG, ALIASES.resolve(props), false);
        EnvelopeSettings envelope = EnvelopeSettings.from(config);
        List<String> warnings = new ArrayList<>(envelope.warnings(props));
        HeaderTexts.warning(props, RowSettings.METADATA_COLUMNS).ifPresent(warnings::add);
        warnings.addAll(DeliverySettings.from(config).warnings(props));
        if (TableSettings.problem(config).isEmpty()) {
            TableSettings table = TableSettings.from(config);
            table.warning(props).ifPresent(warnings::add);
            envelope.warningOfOlderRows(table.fieldReaders(InsertSettings.from(config), RowSettings.from(config)))
                    .ifPresent(warnings::add);
        }
        if (!envelope.isNone()) {
            warnings.addAll(InsertSettings.from(config)
                    .warningsOfChanges(RowSettings.from(config).keyMode()));
        }
        return warnings;
    }

    @Override
    public List<Problem> validate(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(CONFIG, props, false);
        RowSettings row = RowSettings.from(config);
        List<Problem> problems = new ArrayList<>(row.problems());
        problems.addAll(ConnectionSettings.problems(config));
        TableSettings.problem(config).ifPresent(problems::add);
        InsertSettings insert = InsertSettings.from(config);
        EnvelopeSettings envelope = EnvelopeSettings.from(config);
        boolean areTablesCreated = config.getBoolean(TableSettings.AUTO_CREATE);
        problems.addAll(insert.problems(row, envelope, areTablesCreated));
        envelope.problem(props).ifPresent(problems::add);
        FormatSettings format = FormatSettings.from(config);
        problems.addAll(format.problems(props));
        FramingSettings.from(config).problem(format).ifPresent(problems::add);
        RetrySettings.from(config).problem().ifPresent(problems::add);
        RedriveSettings.from(config).problem(props).ifPresent(problems::add);
        if (problems.isEmpty()) {
            problems.addAll(TableSettings.from(config).problems(insert, envelope, props));
        }
        boolean isExactlyOnce = DeliverySettings.from(config).isExactlyOnce();
        Ordering ordering = LaneSettings.from(config).ordering();
        boolean isOff = ConnectionSettings.from(config).login().durability() == CommitDurability.OFF;
        problems.addAll(Problem.of(
                when(
                        areTablesCreated && row.columns().isEmpty(),
                        TableSettings.AUTO_CREATE,
                        "there is no column to create a table with: set " + RowSettings.PK_MODE + ", "
                                + RowSettings.METADATA_COLUMNS + " or " + FieldSettings.UNKNOWN_FIELDS
                                + "=rest, or create the tables yourself"),
                when(
                        !envelope.isNone()
                                && row.keyMode() == KeyMode.RECORD_KEY
                                && row.fields().isOn()
                                && row.fields().unknown() == UnknownFields.REFUSE,
                        FieldSettings.UNKNOWN_FIELDS,
                        "with refuse, no change event is written: its row also has the columns of the record's key, and"
                                + " only the key fills those; use rest or ignore, or "
                                + RowSettings.PK_MODE + "=record_value"),
                when(
                        isOff && !isExactlyOnce,
                        ConnectionSettings.COMMIT_DURABILITY,
                        "with off, a crash of the server loses the last commits, and without "
                                + DeliverySettings.DELIVERY_GUARANTEE
                                + "=exactly_once nobody notices and writes them again; use that, or local or server"),
                when(
                        isExactlyOnce && ordering != Ordering.PARTITION,
                        LaneSettings.ORDERING,
                        DeliverySettings.DELIVERY_GUARANTEE
                                + "=exactly_once keeps one offset for each partition, so it needs ordering=partition"),
                when(
                        !isExactlyOnce
                                && ordering == Ordering.KEY
                                && !row.keyMode().isRepeating(),
                        LaneSettings.ORDERING,
                        "ordering=key needs keys that records share, and " + RowSettings.PK_MODE + "="
                                + EnumSetting.text(row.keyMode())
                                + " gives none: use partition, or none for any order"),
                insert.needOfOrder(row)
                        .filter(need -> !isExactlyOnce && ordering == Ordering.NONE)
                        .map(need -> new Problem(
                                LaneSettings.ORDERING,
                                "without an order " + need + "; use ordering=key or partition"))));
        return problems;
    }

    @Override
    public Optional<ServerCheck> serverCheck(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(CONFIG, props, false);
        RequiredTables tables = new RequiredTables(
                TableSettings.from(config),
                RowSettings.from(config),
                InsertSettings.from(config),
                DeliverySettings.from(config));
        return Optional.of(new PostgresCheck(
                ConnectionSettings.from(config),
                tables.of(KnownTopics.of(props)),
                DeliverySettings.from(config).isExactlyOnce()));
    }

    @Override
    public boolean isAccessRefused(WriteException failure) {
        return failure.getCause() instanceof SQLException error && ConnectionFailures.isAccessRefused(error);
    }

    /** With {@code insert.mode=insert}, an index tells rows only if the table has one. */
    @Override
    public RecordIdentity identity(Map<String, String> props) {
        AbstractConfig config = new AbstractConfig(CONFIG, props, false);
        if (!InsertSettings.from(config).mode().isResolving()) {
            return RecordIdentity.NONE;
        }
        return switch (RowSettings.from(config).keyMode()) {
            case NONE -> RecordIdentity.NONE;
            case KAFKA -> RecordIdentity.COORDINATES;
            case RECORD_KEY ->
                TableSettings.from(config).names().areOfTopicOnly() ? RecordIdentity.KEY : RecordIdentity.OTHER;
            case RECORD_VALUE -> RecordIdentity.OTHER;
        };
    }

    @Override
    public Target open(Map<String, String> props) {
        return new PostgresTarget(new AbstractConfig(CONFIG, props, false), Transforms.hashOf(props));
    }
}
