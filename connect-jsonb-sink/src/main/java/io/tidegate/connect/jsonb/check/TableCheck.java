package io.tidegate.connect.jsonb.check;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.ServerCheck.Finding;
import io.tidegate.connect.jsonb.check.RequiredTable.NeededColumn;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.Rows;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.row.TableName;
import io.tidegate.connect.jsonb.settings.ColumnsFromFields;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import io.tidegate.connect.jsonb.settings.FieldSettings;
import io.tidegate.connect.jsonb.settings.TableSettings;
import io.tidegate.connect.jsonb.sql.TableLookUp;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether a table is as a connector needs it. It looks at the columns, and has the server plan the connector's
 * own statements, so that the server finds what else it would refuse. Nothing is written.
 */
final class TableCheck {
    private static final Logger log = LoggerFactory.getLogger(TableCheck.class);

    /** Most names of columns in a message. */
    private static final int MOST_NAMES = 20;

    /** Columns that take no NULL and have no default. A trigger may fill them. */
    private static final String REQUIRED = "SELECT a.attname FROM pg_catalog.pg_attribute a"
            + " JOIN pg_catalog.pg_class c ON c.oid = a.attrelid"
            + " WHERE c.oid = pg_catalog.to_regclass(?) AND c.relkind IN ('r', 'p') AND a.attnum > 0"
            + " AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''"
            + " AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)"
            + " ORDER BY a.attname";

    private static final String IS_OWNED = "SELECT pg_has_role(c.relowner, 'USAGE') FROM pg_catalog.pg_class c"
            + " WHERE c.oid = pg_catalog.to_regclass(?) AND c.relkind IN ('r', 'p')";

    private static final String MAY_BE_MADE = "SELECT has_schema_privilege("
            + "CASE WHEN cardinality(parts) > 1 THEN parts[1] ELSE current_schema() END, 'CREATE')"
            + " FROM parse_ident(?) AS parts";

    private final RequiredTable needed;
    private final ServerFacts server;
    private final Connection session;

    TableCheck(RequiredTable needed, ServerFacts server, Connection session) {
        this.needed = requireNonNull(needed, "needed");
        this.server = requireNonNull(server, "server");
        this.session = requireNonNull(session, "session");
    }

    /**
     * What is wrong with the table; empty if rows can be written.
     *
     * @throws SQLException if the server does not answer, or does not understand the question
     */
    List<Finding> findings() throws SQLException {
        TableShape shape;
        try {
            shape = TableLookUp.of(session, needed.sql(), List.of());
        } catch (SQLException e) {
            if (SqlState.INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                return List.of(Finding.wrong(
                        ConnectionSettings.USER,
                        needed.described() + " is out of reach of role " + server.role() + ": "
                                + PostgresFailures.describe(e) + ". Grant it USAGE on the schema"));
            }
            throw e;
        }
        return shape.exists() ? findings(shape) : ofMissing();
    }

    private List<Finding> ofMissing() throws SQLException {
        if (!needed.isCreated()) {
            return List.of(Finding.wrong(
                    needed.setting(),
                    "there is no table " + needed.described() + " that role " + server.role()
                            + " can see (search_path is " + server.searchPath() + "). Create it with: "
                            + needed.creation()));
        }
        boolean mayBeMade = Rows.first(session, MAY_BE_MADE, row -> row.getBoolean(1), needed.sql())
                .orElse(false);
        return mayBeMade
                ? List.of()
                : List.of(Finding.wrong(
                        ConnectionSettings.USER,
                        "there is no table " + needed.described() + ", and role " + server.role()
                                + " may not create it as " + TableSettings.AUTO_CREATE
                                + " says. Grant it CREATE on the schema, or create it with another role: "
                                + needed.creation()));
    }

    private List<Finding> findings(TableShape shape) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        needed.columns().forEach(column -> checkColumn(column, shape, findings));
        checkRequired(findings);
        checkOwner(findings);
        if (findings.isEmpty()) {
            checkStatements(shape, findings);
        }
        if (findings.isEmpty() && needed.fields().isOn()) {
            explainFields(shape);
        }
        return findings;
    }

    /** An error would refuse the settings, and nothing is wrong: so the worker's log has where fields will go. */
    private void explainFields(TableShape shape) {
        Set<String> written = needed.columns().stream().map(NeededColumn::name).collect(Collectors.toSet());
        List<Map.Entry<String, TableShape.ColumnShape>> ofFields = shape.fillable()
                .filter(column -> !written.contains(column.getKey()))
                .toList();
        String required = names(ofFields.stream()
                .filter(column -> column.getValue().filling().isRequired())
                .map(Map.Entry::getKey));
        String closed = names(shape.closed().stream()
                .filter(column -> !written.contains(column))
                .sorted());
        log.info(
                "{}: these columns get the fields of their names: {}. {}{}{}",
                needed.described(),
                ofFields.isEmpty()
                        ? "none"
                        : names(ofFields.stream()
                                .map(column -> column.getKey() + " "
                                        + column.getValue().type())),
                closed.isEmpty()
                        ? ""
                        : "These take none, because the server fills them or would cut values: " + closed + ". ",
                others(),
                required.isEmpty()
                        ? ""
                        : ". A record without " + required
                                + " is refused, unless a trigger fills them: NOT NULL, without a default");
    }

    private String others() {
        String others = needed.fields().columns() == ColumnsFromFields.ADD
                ? "Other fields get columns; what gets none "
                : "What is in other fields ";
        return switch (needed.fields().unknown()) {
            case REST -> others + "goes into the column of the value";
            case IGNORE -> others + "is dropped";
            case REFUSE -> "A record with other fields is refused";
        };
    }

    private void checkColumn(NeededColumn column, TableShape shape, List<Finding> findings) {
        String type = shape.typeOf(column.name());
        String described = "column " + column.name() + " of " + needed.described() + " is of type " + type;
        if (type.isEmpty()) {
            findings.add(Finding.wrong(
                    column.setting(),
                    needed.described() + " has no column " + column.name() + "; it has "
                            + names(shape.columns().keySet().stream().sorted()) + ". Name another one, or add it with: "
                            + "ALTER TABLE " + needed.sql() + " ADD COLUMN " + TableName.quote(column.name()) + ' '
                            + column.proposed()));
        } else if (!column.types().isEmpty() && !column.types().contains(type)) {
            findings.add(Finding.wrong(
                    column.setting(), described + "; it has to be " + column.proposed() + alternatives(column)));
        } else if (TableShape.cuts(type)) {
            findings.add(Finding.wrong(
                    column.setting(), described + ", which silently truncates longer values; make it text"));
        }
    }

    private static String alternatives(NeededColumn column) {
        String others = column.types().stream()
                .filter(type -> !type.equals(column.proposed()))
                .sorted()
                .collect(Collectors.joining(", "));
        return others.isEmpty() ? "" : " (" + others + " will do)";
    }

    private void checkRequired(List<Finding> findings) throws SQLException {
        Set<String> written = needed.columns().stream().map(NeededColumn::name).collect(Collectors.toSet());
        if (needed.fields().isOn()) {
            return; // the documents may have them
        }
        String left = names(Rows.of(session, REQUIRED, row -> row.getString(1), needed.sql()).stream()
                .filter(column -> !written.contains(column)));
        if (!left.isEmpty()) {
            findings.add(Finding.wrong(
                    needed.setting(),
                    needed.described() + " takes no row without " + left
                            + ": NOT NULL, without a default, and not written by this connector. Give it a default"));
        }
    }

    private void checkOwner(List<Finding> findings) throws SQLException {
        boolean mayAdd = needed.fields().columns() != ColumnsFromFields.ADD
                || Rows.first(session, IS_OWNED, row -> row.getBoolean(1), needed.sql())
                        .orElse(true);
        if (!mayAdd) {
            findings.add(Finding.wrong(
                    FieldSettings.COLUMNS_FROM_FIELDS,
                    "add adds columns to " + needed.described() + ", which only its owner may, and role "
                            + server.role() + " is not. ALTER TABLE " + needed.sql() + " OWNER TO "
                            + TableName.quote(server.role()) + ", or use known"));
        }
    }

    private void checkStatements(TableShape shape, List<Finding> findings) throws SQLException {
        try {
            needed.statements().of(shape).plan(session);
        } catch (SQLException e) {
            boolean isOfTable = !PostgresFailures.isUnsupported(e)
                    && !PostgresFailures.endsConnections(e)
                    && PostgresFailures.classifyWithoutRows(e) == Failure.FATAL;
            if (!isOfTable) {
                throw e;
            }
            findings.add(refused(e));
        }
    }

    private Finding refused(SQLException e) {
        String said = needed.described() + ": " + PostgresFailures.describe(e);
        return switch (e.getSQLState()) {
            case SqlState.INSUFFICIENT_PRIVILEGE ->
                Finding.wrong(
                        ConnectionSettings.USER,
                        "role " + server.role() + " may not write to " + said + ": GRANT "
                                + needed.privileges().stream()
                                        .sorted()
                                        .map(Enum::name)
                                        .collect(Collectors.joining(", "))
                                + " ON " + needed.sql() + " TO " + TableName.quote(server.role()));
            case SqlState.INVALID_COLUMN_REFERENCE ->
                Finding.wrong(
                        keySetting(),
                        said + ": CREATE UNIQUE INDEX ON " + needed.sql()
                                + needed.key().stream()
                                        .map(TableName::quote)
                                        .collect(Collectors.joining(", ", " (", ")")));
            default -> Finding.wrong(needed.setting(), "the server takes no rows for " + said);
        };
    }

    private String keySetting() {
        return needed.columns().stream()
                .filter(column -> needed.key().contains(column.name()))
                .map(NeededColumn::setting)
                .findFirst()
                .orElse(needed.setting());
    }

    private static String names(Stream<String> names) {
        List<String> all = names.toList();
        return String.join(", ", all.subList(0, Math.min(MOST_NAMES, all.size())))
                + (all.size() > MOST_NAMES ? " and " + (all.size() - MOST_NAMES) + " more" : "");
    }
}
