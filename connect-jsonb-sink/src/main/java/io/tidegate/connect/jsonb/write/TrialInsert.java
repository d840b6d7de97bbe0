package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.client.PostgresFailures;
import io.tidegate.connect.jsonb.client.SqlState;
import io.tidegate.connect.jsonb.settings.SqlStateCodes;
import io.tidegate.connect.jsonb.sql.JointStatement;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Asks the server which rows of a statement it would refuse. An anonymous block tries the rows, halves them where
 * necessary, and undoes everything. It takes one round trip in one implicit transaction, even if many rows are at
 * fault, so it works through every kind of pooler. It needs PL/pgSQL, which exists unless somebody dropped it.
 * Stateless.
 */
final class TrialInsert {
    /**
     * Number of rows that are tried together. With more, every halving copies more. With fewer, the block runs more
     * statements.
     */
    private static final int CHUNK_ROWS = 64;

    /** The array parameters of a statement, with their types. */
    private static final Pattern ARRAY = Pattern.compile("\\?::([a-z0-9 ]+\\[])");

    private static final int FIELDS = 5;

    /** The last RAISE undoes the trial. Variables keep their values. */
    private static final String BLOCK = """
        DECLARE
          statement CONSTANT text := current_setting('tidegate.statement');
          <arrays>
          culprits text[] := '{}'; state text; message text; of_constraint text; of_column text; of_table text;
          froms int[]; tos int[]; a int; b int;
        BEGIN
          SET CONSTRAINTS ALL IMMEDIATE;
          FOR done IN 0 .. <last row> BY <chunk rows> LOOP
            <take chunk>
            froms := ARRAY[1];
            tos := ARRAY[cardinality(c0)];
            WHILE cardinality(froms) > 0 LOOP
              a := froms[cardinality(froms)];
              b := tos[cardinality(tos)];
              froms := froms[1:cardinality(froms) - 1];
              tos := tos[1:cardinality(tos) - 1];
              BEGIN
                EXECUTE statement USING <slices>;
              EXCEPTION WHEN OTHERS THEN
                IF SQLSTATE !~ '<rejected>' OR position('<altered>' IN SQLERRM) > 0 THEN
                  RAISE;
                END IF;
                IF a < b THEN
                  froms := froms || ARRAY[(a + b) / 2 + 1, a];
                  tos := tos || ARRAY[b, (a + b) / 2];
                ELSE
                  GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
                    of_constraint = CONSTRAINT_NAME, of_column = COLUMN_NAME, of_table = TABLE_NAME;
                  IF state = '<partition>' AND of_constraint = '' AND of_table <> '' THEN
                    CONTINUE; -- it has no partition, which is the table's fault or is found out without a trial
                  END IF;
                  culprits := array_append(culprits, (done + a)::text);
                  culprits := array_append(culprits, state);
                  culprits := array_append(culprits, message);
                  culprits := array_append(culprits, of_constraint);
                  culprits := array_append(culprits, of_column);
                END IF;
              END;
            END LOOP;
          END LOOP;
          RAISE EXCEPTION SQLSTATE 'TG000';
        EXCEPTION WHEN SQLSTATE 'TG000' THEN
          PERFORM set_config('tidegate.culprits', culprits::text, true);
        END
        """;

    private TrialInsert() {}

    /**
     * A row that the server would refuse.
     *
     * @param row counted from 0
     */
    record Culprit(int row, String state, String message, String constraint, String column) {
        RefusedException refusal() {
            return PostgresFailures.refusal(state, message, constraint, column);
        }

        RefusedException refusalOfValue() {
            return PostgresFailures.refusalOfValue(state, message, constraint, column);
        }
    }

    /**
     * Finds the rows that the server would refuse one by one. Nothing is written.
     *
     * @param statement is one, and takes one array for each field and nothing else, as {@code ?::type[]}
     * @param rows how many elements each array has
     * @param overrides what else than the failure table says is a row's fault
     * @param ofValues a state that is a row's fault too, such as {@code 42704}; empty for none
     * @throws SQLException if the server cannot tell
     */
    static List<Culprit> culprits(
            Connection connection, JointStatement statement, int rows, ErrorOverrides overrides, String ofValues)
            throws SQLException {
        List<String> types = ARRAY.matcher(statement.text())
                .results()
                .map(match -> match.group(1))
                .toList();
        try (PreparedStatement trial = connection.prepareStatement(text(types, rows, overrides, ofValues))) {
            trial.setString(1, numbered(statement.text()));
            statement.bind(trial, 1);
            boolean isRows = trial.execute(); // the result of the first of three statements
            while (isRows || trial.getUpdateCount() >= 0) {
                isRows = trial.getMoreResults();
                if (isRows
                        && trial.getResultSet().getMetaData().getColumnLabel(1).equals("culprits")) {
                    return culprits(trial.getResultSet());
                }
            }
        }
        throw new SQLException("the trial gave no answer");
    }

    private static List<Culprit> culprits(ResultSet result) throws SQLException {
        List<Culprit> culprits = new ArrayList<>();
        result.next();
        String[] fields = (String[]) result.getArray(1).getArray();
        for (int i = 0; i < fields.length; i += FIELDS) {
            culprits.add(new Culprit(
                    Integer.parseInt(fields[i]) - 1, fields[i + 1], fields[i + 2], fields[i + 3], fields[i + 4]));
        }
        return culprits;
    }

    /** Numbers the parameters, as {@code EXECUTE} needs them. */
    private static String numbered(String statement) {
        Matcher arrays = ARRAY.matcher(statement);
        StringBuilder text = new StringBuilder();
        for (int i = 1; arrays.find(); i++) {
            arrays.appendReplacement(text, Matcher.quoteReplacement("$" + i + "::" + arrays.group(1)));
        }
        return arrays.appendTail(text).toString();
    }

    /** The text of the trial. A block takes no parameters, so they are sent as settings of the transaction. */
    private static String text(List<String> types, int rows, ErrorOverrides overrides, String ofValues) {
        return "SELECT set_config('tidegate.statement', ?, true), "
                + perArray(types, ", ", "set_config('tidegate.a#', (?::@)::text, true)") + "; DO $tidegate$"
                + block(types, rows, overrides, ofValues)
                + "$tidegate$; SELECT current_setting('tidegate.culprits')::text[] AS culprits";
    }

    private static String block(List<String> types, int rows, ErrorOverrides overrides, String ofValues) {
        return BLOCK.replace(
                        "<arrays>", perArray(types, " ", "a# CONSTANT @ := current_setting('tidegate.a#')::@; c# @;"))
                .replace("<take chunk>", perArray(types, " ", "c# := a#[done + 1:done + " + CHUNK_ROWS + "];"))
                .replace("<slices>", perArray(types, ", ", "c#[a:b]"))
                .replace("<last row>", Integer.toString(rows - 1))
                .replace("<chunk rows>", Integer.toString(CHUNK_ROWS))
                .replace(
                        "<rejected>",
                        PostgresFailures.statesOfRecords(overrides) + (ofValues.isEmpty() ? "" : "|^" + ofValues))
                .replace("<partition>", isOverridden(overrides) ? "" : SqlState.CHECK_VIOLATION)
                .replace("<altered>", TableShape.ALTERED);
    }

    private static boolean isOverridden(ErrorOverrides overrides) {
        return overrides.of(SqlStateCodes.of(SqlState.CHECK_VIOLATION)).isPresent();
    }

    /** Repeats the pattern for each array, with its number for {@code #} and its type for {@code @}. */
    private static String perArray(List<String> types, String separator, String pattern) {
        return IntStream.range(0, types.size())
                .mapToObj(i -> pattern.replace("#", Integer.toString(i)).replace("@", types.get(i)))
                .collect(Collectors.joining(separator));
    }
}
