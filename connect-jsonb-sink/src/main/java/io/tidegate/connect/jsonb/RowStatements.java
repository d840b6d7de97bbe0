package io.tidegate.connect.jsonb;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.TableSettings.InsertMode;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** The texts of the statements that write and delete rows, and how documents become their parameters. One lane's. */
final class RowStatements {
    /** Most parameters of a statement: the protocol counts them in 16 bits (PostgreSQL documentation, Bind message). */
    static final int MAX_PARAMETERS = 65_535;

    private static final int TEXTS_KEPT = 64;

    private final TableSettings settings;
    private final Map<String, String> texts = new LinkedHashMap<>(TEXTS_KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > TEXTS_KEPT;
        }
    };

    RowStatements(TableSettings settings) {
        this.settings = requireNonNull(settings, "settings");
    }

    /** Most rows that one statement can write. */
    int maxRows() {
        return MAX_PARAMETERS / (1 + settings.keyColumns().size());
    }

    /**
     * A multi-row insert.
     *
     * @param resolving whether rows that are there already are treated as {@code insert.mode} says; plain if not
     */
    String insert(String table, int rows, boolean resolving) {
        return texts.computeIfAbsent((resolving ? "+" : "-") + rows + table, key -> insertText(table, rows, resolving));
    }

    private String insertText(String table, int rows, boolean resolving) {
        List<String> columns = new ArrayList<>();
        columns.add(settings.valueColumn());
        columns.addAll(settings.keyColumns());
        String row = columns.stream().map(column -> "?").collect(Collectors.joining(",", "(", ")"));
        StringBuilder text = new StringBuilder(rows * (row.length() + 1) + 256);
        text.append("INSERT INTO ")
                .append(table)
                .append(' ')
                .append(list(columns))
                .append(" VALUES ")
                .append(row);
        for (int i = 1; i < rows; i++) {
            text.append(',').append(row);
        }
        if (resolving) {
            text.append(conflictClause());
        }
        return text.toString();
    }

    private String conflictClause() {
        String target = " ON CONFLICT " + list(settings.keyColumns());
        if (settings.insertMode() == InsertMode.IGNORE) {
            return target + " DO NOTHING";
        }
        String value = TableName.quote(settings.valueColumn());
        return target + " DO UPDATE SET " + value + " = EXCLUDED." + value;
    }

    private static String list(List<String> columns) {
        return columns.stream().map(TableName::quote).collect(Collectors.joining(", ", "(", ")"));
    }

    /** Deletes the rows with some keys. */
    String delete(String table, int rows) {
        return texts.computeIfAbsent("x" + rows + table, key -> {
            String column = TableName.quote(settings.keyColumns().get(0));
            return "DELETE FROM " + table + " WHERE " + column + " IN (?" + ",?".repeat(rows - 1) + ")";
        });
    }

    void bindInsert(PreparedStatement statement, List<Document> documents) throws SQLException {
        int parameter = 0;
        for (Document document : documents) {
            statement.setObject(++parameter, new JsonbParameter(document.json()));
            switch (settings.keyMode()) {
                case NONE -> {}
                case RECORD_KEY -> bindKey(statement, ++parameter, document);
                case KAFKA -> {
                    TopicPartition source = document.progress().partition();
                    statement.setString(++parameter, source.topic());
                    statement.setInt(++parameter, source.partition());
                    statement.setLong(++parameter, document.offset());
                }
            }
        }
    }

    void bindDelete(PreparedStatement statement, List<Document> documents) throws SQLException {
        int parameter = 0;
        for (Document document : documents) {
            bindKey(statement, ++parameter, document);
        }
    }

    /** As text of no type: the server reads it as the type of the column. */
    private static void bindKey(PreparedStatement statement, int parameter, Document document) throws SQLException {
        statement.setObject(parameter, PostgresTarget.keyText(document), Types.OTHER);
    }
}
