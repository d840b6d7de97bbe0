package io.tidegate.connect.jsonb;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.document.KeyRule;
import io.tidegate.connect.common.document.NullValues;
import io.tidegate.connect.common.document.RowPlace;
import io.tidegate.connect.common.document.Template;
import io.tidegate.connect.common.document.TemplateDestinations;
import io.tidegate.connect.common.envelope.EnvelopeSettings;
import io.tidegate.connect.common.format.FormatSettings;
import io.tidegate.connect.common.format.ValueDecoder;
import io.tidegate.connect.common.frame.FramingSettings;
import io.tidegate.connect.common.frame.Unframing;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.redrive.Redrive;
import io.tidegate.connect.common.settings.RedriveSettings;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.TrialWriter;
import io.tidegate.connect.common.spi.UnaskedTrial;
import io.tidegate.connect.jsonb.client.PoolLease;
import io.tidegate.connect.jsonb.row.RowField;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.KeyMode;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.SqlStateCodes;
import io.tidegate.connect.jsonb.settings.TableSettings;
import io.tidegate.connect.jsonb.sql.Dialect;
import io.tidegate.connect.jsonb.sql.OffsetFence;
import io.tidegate.connect.jsonb.sql.OffsetTable;
import io.tidegate.connect.jsonb.sql.RowSketch;
import io.tidegate.connect.jsonb.sql.TableCreation;
import io.tidegate.connect.jsonb.trial.PostgresTrial;
import io.tidegate.connect.jsonb.write.PostgresWriter;
import io.tidegate.connect.jsonb.write.WriterSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;

/** The tables of one task. It holds a share in the worker's pool and the rules by which records become rows. */
public final class PostgresTarget implements Target {
    private final ConnectionSettings connection;
    private final TableSettings table;
    private final RowSettings row;
    private final WriterSettings writing;
    private final FramingSettings framing;
    private final Optional<ValueDecoder> decoder;
    private final InsertSettings insert;
    private final DeliverySettings delivery;
    private final EnvelopeSettings envelope;
    private final RedriveSettings redrive;
    private final long transforms;
    private final PoolLease pool;

    /**
     * Does not contact the server.
     *
     * @param transforms hash of the connector's transforms, see {@link Transforms}
     */
    PostgresTarget(AbstractConfig config, long transforms) {
        this.transforms = transforms;
        this.envelope = EnvelopeSettings.from(config);
        this.connection = ConnectionSettings.from(config);
        this.table = TableSettings.from(config);
        this.row = RowSettings.from(config);
        this.framing = FramingSettings.from(config);
        this.decoder = FormatSettings.from(config).decoder();
        this.redrive = RedriveSettings.from(config);
        InsertSettings written = InsertSettings.from(config);
        this.insert = redrive.isOn() ? written.forRedrive(row) : written;
        this.delivery = DeliverySettings.from(config);
        this.writing = new WriterSettings(
                row,
                insert,
                table.isCreated() ? Optional.of(new TableCreation(row, insert)) : Optional.empty(),
                row.fields().areAdded(),
                this::isNamedByRecord,
                SqlStateCodes.from(config),
                new Dialect(description()));
        this.pool = new PoolLease(connection);
    }

    @Override
    public DocumentMapper mapper() {
        TemplateDestinations destinations = table.destinations();
        KeyRule keys = RowKeys.of(row, objectsInKeys());
        return new DocumentMapper(
                        destinations,
                        keys,
                        insert.deletes() ? NullValues.DELETE : row.values().nulls(),
                        new Unframing(framing, decoder),
                        row.values().characters()::json)
                .within(envelope.open(
                        EnvelopeSettings.KeyForm.OBJECT,
                        row.columnOf(RowField.SOURCE_POSITION).isPresent(),
                        tombstone -> insert.deletes()
                                && row.keyMode() == KeyMode.RECORD_KEY
                                && table.names().isOf(tombstone)
                                && !insert.guard().isSourcePosition(),
                        places(destinations, keys)))
                .redriving(Redrive.of(redrive, insert.guard().guardsDeletions()));
    }

    private RowKeys.KeyObjects objectsInKeys() {
        if (envelope.isNone()) {
            return RowKeys.KeyObjects.BY_PATH;
        }
        // Otherwise a column of the key may be what selects the table.
        boolean isTableOfTopic = table.names().all().allMatch(Template::isOfTopicOnly);
        return isTableOfTopic && (insert.mode().isResolving() || insert.deletes())
                ? RowKeys.KeyObjects.WHOLE
                : RowKeys.KeyObjects.POSSIBLE;
    }

    /** None for dead letters: their older rows are seen to before a redrive. */
    private List<RowPlace> places(TemplateDestinations destinations, KeyRule keys) {
        if (redrive.isOn()) {
            return List.of();
        }
        return table.fieldReaders(insert, row).stream()
                .map(setting -> new RowPlace(
                        setting,
                        setting.equals(RowSettings.PK_FIELDS)
                                ? record -> new String(keys.keyOf(record), StandardCharsets.UTF_8)
                                : destinations::destinationOf))
                .toList();
    }

    @Override
    public BatchWriter openWriter(int lane) {
        Optional<OffsetFence> fence =
                delivery.isExactlyOnce() ? Optional.of(new OffsetFence(offsets())) : Optional.empty();
        return new PostgresWriter(pool, writing, fence);
    }

    private OffsetTable offsets() {
        return new OffsetTable(delivery, transforms, table.isCreated());
    }

    private boolean isNamedByRecord(Document document) {
        return !table.names().isOfTopicOnly(document.record().topic());
    }

    /** Exactly-once delivery is left out, because a trial that claims partitions would take them from the real task. */
    @Override
    public TrialWriter openTrial(boolean isServerAsked) {
        RowSketch sketch = new RowSketch(row, insert);
        return isServerAsked
                ? new PostgresTrial(connection, writing, delivery.isExactlyOnce())
                : new UnaskedTrial(sketch::of);
    }

    @Override
    public ErrorOverrides errorOverrides() {
        return writing.overrides();
    }

    @Override
    public boolean lastWriteWins() {
        return insert.lastWriteWins(row, delivery.isExactlyOnce());
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
    public long serverChanges() {
        return pool.serverChanges();
    }

    @Override
    public String description() {
        return "PostgreSQL " + connection.server();
    }

    @Override
    public void close() {
        decoder.ifPresent(ValueDecoder::close);
        pool.close();
    }
}
