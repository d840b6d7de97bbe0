package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.RecordFields;
import io.tidegate.connect.common.document.TemplateDestinations;
import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.envelope.KeyForm;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.frame.FramingSettings;
import io.tidegate.connect.common.frame.Unframing;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.redrive.Redrive;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.ServerSight;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.Traced;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.spi.UnaskedTrial;
import io.tidegate.connect.common.value.JsonPath;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.KeyMode;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.TableSettings;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import io.tidegate.connect.jsonb.sql.OffsetTable;
import io.tidegate.connect.jsonb.sql.RowSketch;
import io.tidegate.connect.jsonb.sql.TableCreation;
import io.tidegate.connect.jsonb.write.PostgresTrial;
import io.tidegate.connect.jsonb.write.PostgresWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The tables of one task. It holds a share in the worker's pool and the rules by which records become rows. */
public final class PostgresTarget implements Target {
    private final ConnectionSettings connection;
    private final TableSettings table;
    private final RowSettings row;
    private final FramingSettings framing;
    private final FormatSettings format;
    private final InsertSettings insert;
    private final DeliverySettings delivery;
    private final EnvelopeSettings envelope;
    private final RedriveSettings redrive;
    private final ErrorOverrides overrides;
    private final long rules;
    private final PoolLease pool;

    PostgresTarget(
            ConnectionSettings connection,
            TableSettings table,
            RowSettings row,
            FramingSettings framing,
            FormatSettings format,
            InsertSettings insert,
            DeliverySettings delivery,
            EnvelopeSettings envelope,
            RedriveSettings redrive,
            ErrorOverrides overrides,
            long rules) {
        this.overrides = requireNonNull(overrides, "overrides");
        this.envelope = requireNonNull(envelope, "envelope");
        this.rules = rules;
        this.connection = requireNonNull(connection, "connection");
        this.table = requireNonNull(table, "table");
        this.row = requireNonNull(row, "row");
        this.framing = requireNonNull(framing, "framing");
        this.format = requireNonNull(format, "format");
        this.redrive = requireNonNull(redrive, "redrive");
        this.insert = redrive.isOn() ? insert.forRedrive(row) : requireNonNull(insert, "insert");
        this.delivery = requireNonNull(delivery, "delivery");
        this.pool = PoolLease.join(connection);
    }

    @Override
    public DocumentMapper mapper() {
        return new DocumentMapper(
                        new TemplateDestinations(
                                table.names(),
                                new RecordFields(
                                        table.names().fields(), row.values().defaults()),
                                parts -> new TableName(parts).sql(),
                                "see " + TableSettings.TABLE_NAME_FORMAT + " and " + TableSettings.TOPIC_TABLE_MAP),
                        RowKeys.of(row, !envelope.isNone()),
                        insert.deletes() ? NullValues.DELETE : row.values().nulls(),
                        row.values().defaults(),
                        new Unframing(framing, format.decoder(row.values().defaults())),
                        row.values().characters()::json)
                .within(envelope.open(
                        keyForm(),
                        row.columnOf(RowField.SOURCE_POSITION).isPresent(),
                        insert.deletes()
                                && row.keyMode() == KeyMode.RECORD_KEY
                                && !insert.guard().isSourcePosition(),
                        row.values().defaults()))
                .redriving(Redrive.of(redrive, insert.guard().guardsDeletions()));
    }

    /** A key of one column, which most tables have, is read without a parser, unless the whole key is written too. */
    private KeyForm keyForm() {
        boolean isOneColumn = row.keyMode() == KeyMode.RECORD_KEY && row.key().size() == 1;
        if (!isOneColumn || row.columnOf(RowField.RECORD_KEY).isPresent()) {
            return KeyForm.OBJECT;
        }
        List<JsonPath.Step> steps = row.key().get(0).path().steps();
        return steps.size() == 1 && steps.get(0) instanceof JsonPath.Field column
                ? KeyForm.of(column.name())
                : KeyForm.OBJECT;
    }

    @Override
    public BatchWriter openWriter(int lane) {
        Optional<OffsetFence> fence = delivery.isExactlyOnce()
                ? Optional.of(new OffsetFence(new OffsetTable(delivery, rules, table.isCreated())))
                : Optional.empty();
        return new PostgresWriter(pool, row, insert, creation(), fence, this::isNamedByRecord, overrides);
    }

    private Optional<TableCreation> creation() {
        return table.isCreated() ? Optional.of(new TableCreation(row, insert.mode())) : Optional.empty();
    }

    private boolean isNamedByRecord(Document document) {
        return !table.names().isOfTopicOnly(document.record().topic());
    }

    /** Exactly-once delivery is left out, because a trial that claims partitions would take them from the real task. */
    @Override
    public TrialWriter openTrial(boolean isServerAsked) {
        RowSketch sketch = new RowSketch(row, insert);
        return isServerAsked
                ? new PostgresTrial(
                        PoolLease.joinForTrial(connection),
                        row,
                        insert,
                        creation(),
                        delivery.isExactlyOnce(),
                        this::isNamedByRecord,
                        overrides)
                : new UnaskedTrial(sketch::of);
    }

    @Override
    public boolean lastWriteWins() {
        return insert.lastWriteWins(delivery.isExactlyOnce());
    }

    /** The pool's metrics. Every task that shares the pool shows them. */
    @Override
    public List<Metric> metrics() {
        return pool.metrics();
    }

    @Override
    public boolean keepsOffsets() {
        return delivery.isExactlyOnce();
    }

    @Override
    public boolean failsOnMissing() {
        return delivery.failsOnMissing();
    }

    @Override
    public ServerSight serverSight() {
        return pool.sight();
    }

    @Override
    public Duration replay() {
        return delivery.failoverReplay();
    }

    @Override
    public Traced traced() {
        return new Traced("postgresql", "BATCH");
    }

    @Override
    public String description() {
        return "PostgreSQL " + connection.server();
    }

    @Override
    public void close() {
        pool.close();
    }
}
