package io.tidegate.connect.jsonb.check;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.TemplateDestinations;
import io.tidegate.connect.jsonb.check.RequiredTable.NeededColumn;
import io.tidegate.connect.jsonb.row.Column;
import io.tidegate.connect.jsonb.settings.DeliverySettings;
import io.tidegate.connect.jsonb.settings.FieldSettings;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.Privilege;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.settings.TableSettings;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.OffsetTable;
import io.tidegate.connect.jsonb.sql.RowDelete;
import io.tidegate.connect.jsonb.sql.RowSql;
import io.tidegate.connect.jsonb.sql.TableCreation;
import io.tidegate.connect.jsonb.sql.TableShape;
import io.tidegate.connect.jsonb.sql.UnnestInsert;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables that a connector's settings name, if they are known before the first record. */
public final class RequiredTables {
    /** Most topics whose tables are checked, so that a validation ends in time. */
    static final int MOST = 50;

    /** Types to which JSON text can be cast. */
    private static final Set<String> JSON_TYPES = Set.of("jsonb", "json", "text", "character varying");

    private static final Set<String> TEXT_TYPES = Set.of("text", "character varying");

    private final TableSettings table;
    private final RowSettings row;
    private final InsertSettings insert;
    private final DeliverySettings delivery;

    public RequiredTables(TableSettings table, RowSettings row, InsertSettings insert, DeliverySettings delivery) {
        this.table = requireNonNull(table, "table");
        this.row = requireNonNull(row, "row");
        this.insert = requireNonNull(insert, "insert");
        this.delivery = requireNonNull(delivery, "delivery");
    }

    /**
     * The tables of these topics, at most {@link #MOST}, if the topic alone decides the table. The table of the offsets
     * is added.
     */
    public List<RequiredTable> of(List<String> topics) {
        TemplateDestinations names = table.destinations();
        Map<String, RequiredTable> tables = new LinkedHashMap<>();
        for (String topic : topics.subList(0, Math.min(MOST, topics.size()))) {
            names.destinationOf(topic).ifPresent(sql -> tables.putIfAbsent(sql, rows(sql, topic)));
        }
        List<RequiredTable> needed = new ArrayList<>(tables.values());
        if (delivery.isExactlyOnce()) {
            needed.add(offsets());
        }
        return needed;
    }

    private RequiredTable rows(String sql, String topic) {
        return new RequiredTable(
                sql,
                TableSettings.TABLE_NAME_FORMAT,
                "for topic " + topic,
                row.columns().stream().map(this::needed).toList(),
                row.fields(),
                insert.conflictKey(row).stream().map(Column::name).toList(),
                privileges(),
                this::statements,
                new TableCreation(row, insert).ddl(sql),
                table.isCreated());
    }

    private NeededColumn needed(Column column) {
        boolean isValue = column.name().equals(row.valueColumn());
        return new NeededColumn(
                column.name(), settingOf(column.name()), isValue ? valueTypes() : Set.of(), column.type());
    }

    private String settingOf(String column) {
        if (column.equals(row.valueColumn())) {
            return RowSettings.VALUE_COLUMN;
        }
        if (row.keyColumns().stream().anyMatch(key -> key.name().equals(column))) {
            return RowSettings.PK_FIELDS;
        }
        return row.metadata().stream().anyMatch(metadata -> metadata.column().equals(column))
                ? RowSettings.METADATA_COLUMNS
                : RowSettings.EXTRACT_COLUMNS;
    }

    /** Only {@code jsonb} can be merged, and {@code json} cannot be compared. */
    private Set<String> valueTypes() {
        if (insert.mode().isMerging()) {
            return Set.of("jsonb");
        }
        Set<String> types = new HashSet<>(JSON_TYPES);
        if (insert.skipsUnchanged()) {
            types.remove("json");
        }
        return types;
    }

    /** The dearest of the statements that rows may need. */
    private JointStatement statements(TableShape shape) throws SQLException {
        JointStatement statements = new JointStatement();
        RowSql sql = new RowSql(row, insert);
        sql.warnOfTextGuard(shape);
        UnnestInsert inserts = new UnnestInsert(sql);
        inserts.addTo(statements, shape, List.of(), inserts.isResolving());
        if (insert.deletes()) {
            new RowDelete(row, insert).addTo(statements, shape, List.of());
        }
        return statements;
    }

    private Set<Privilege> privileges() {
        Set<Privilege> privileges = EnumSet.copyOf(insert.mode().privileges());
        if (insert.deletes()) {
            privileges.addAll(Privilege.TO_DELETE);
        }
        return privileges;
    }

    private RequiredTable offsets() {
        List<NeededColumn> columns = new ArrayList<>(List.of(
                offsetColumn("connector", TEXT_TYPES, "text"),
                offsetColumn("topic", TEXT_TYPES, "text"),
                offsetColumn("partition", Set.of("integer", "bigint"), "integer"),
                offsetColumn("next_offset", Set.of("bigint"), "bigint"),
                offsetColumn("generation", Set.of("bigint"), "bigint")));
        OffsetTable.RECORD_COLUMNS.forEach(column -> columns.add(offsetColumn(column, Set.of("bigint"), "bigint")));
        OffsetTable offsets = new OffsetTable(delivery, 0, table.isCreated());
        return new RequiredTable(
                delivery.offsetsTable().sql(),
                DeliverySettings.OFFSETS_TABLE,
                "the offsets of " + DeliverySettings.DELIVERY_GUARANTEE + "=exactly_once",
                columns,
                FieldSettings.NONE,
                List.of("connector", "topic", "partition"),
                Set.of(Privilege.SELECT, Privilege.INSERT, Privilege.UPDATE),
                shape -> offsets.statements(),
                offsets.ddl(),
                table.isCreated());
    }

    private static NeededColumn offsetColumn(String name, Set<String> types, String proposed) {
        return new NeededColumn(name, DeliverySettings.OFFSETS_TABLE, types, proposed);
    }
}
