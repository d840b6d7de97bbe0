package io.tidegate.connect.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.jsonb.settings.InsertMethod;
import io.tidegate.connect.jsonb.settings.InsertSettings;
import io.tidegate.connect.jsonb.settings.RowSettings;
import io.tidegate.connect.jsonb.write.Documents;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StatementTextTest {
    private static final TableShape KEYED = TableShapes.of("\"t\"", Map.of("doc", "jsonb", "id", "bigint"));
    private static final TableShape COORDINATES =
            TableShapes.of("\"t\"", Map.of("doc", "jsonb", "t", "text", "p", "integer", "o", "bigint"));
    /** See {@link TableShape#isUnaltered}. */
    private static final Pattern CHECK =
            Pattern.compile(" (WHERE|AND) (true|CASE WHEN pg_catalog.* AS boolean\\) END)");

    private static final String KAFKA = "pk.mode=kafka pk.fields=t,p,o";
    private static final String KEY = "pk.mode=record_key pk.fields=id insert.mode=upsert";

    @Test
    void appendsManyRowsInOneStatement() {
        assertThat(values("", KEYED, 3, false)).isEqualTo("INSERT INTO \"t\" AS o (\"doc\") VALUES (?),(?),(?)");
    }

    /** A server without functions takes no other. */
    @Test
    void aRowWithoutFieldsTakesAllDefaults() {
        TableShape table = TableShapes.of("\"t\"", Map.of("b", "text", "a", "text"))
                .without(Set.of("a", "b"))
                .unchecked();

        assertThat(values("columns.from.fields=known unknown.fields=ignore", table, 3, false))
                .isEqualTo("INSERT INTO \"t\" AS o (\"a\") VALUES (DEFAULT), (DEFAULT), (DEFAULT)");
    }

    @Test
    void failsIfATypeIsNotWhatItWas() {
        String check = "CASE WHEN pg_catalog.pg_typeof((NULL::public.\"t\").\"doc\")::oid = 1005 THEN true ELSE"
                + " CAST(pg_catalog.concat('the table has been altered since it was looked up') AS boolean) END";

        assertThat(sql("").copyInto(KEYED)).isEqualTo("COPY \"t\" (\"doc\") FROM STDIN (FORMAT binary) WHERE " + check);
        assertThat(new UnnestInsert(sql("")).text(KEYED, false)).endsWith(" AS r(v0) WHERE " + check);
        assertThat(new UnnestInsert(sql("value.column.name=missing")).text(KEYED, false))
                .endsWith(" AS r(v0) WHERE true");
    }

    @Test
    void aKeyThatIsDeletedIsRoundedAsTheColumnRoundsNow() {
        assertThat(delete(KEY, TableShapes.of("\"t\"", Map.of("doc", "jsonb", "id", "numeric"))))
                .endsWith(" WHERE o.\"id\" = pg_catalog.\"numeric\"(r.v0::numeric, (SELECT a.atttypmod"
                        + " FROM pg_catalog.pg_attribute a WHERE a.attrelid = pg_catalog.to_regclass('\"t\"')"
                        + " AND a.attname = 'id'))");
    }

    @Test
    void ignoresRowsThatAreThere() {
        assertThat(values(KAFKA + " insert.mode=ignore", COORDINATES, 1, true))
                .isEqualTo("INSERT INTO \"t\" AS o (\"doc\", \"t\", \"p\", \"o\") VALUES (?,?,?,?)"
                        + " ON CONFLICT (\"t\", \"p\", \"o\") DO NOTHING");
    }

    @Test
    void findsAStoredRowByItsWholeKeyAsAnIndexHasIt() {
        String text = new UnnestInsert(sql("pk.mode=record_key pk.fields=id,day")).text(KEYED, true);

        assertThat(text)
                .contains(
                        " WHERE NOT EXISTS (SELECT FROM \"t\" AS e WHERE e.\"id\" = n.\"id\" AND e.\"day\" = n.\"day\""
                                + " AND (e.\"doc\"::text COLLATE \"C\" IS NOT DISTINCT FROM (n.\"doc\")::text"
                                + " AND e.\"id\"::text COLLATE \"C\" IS NOT DISTINCT FROM (n.\"id\")::text"
                                + " AND e.\"day\"::text COLLATE \"C\" IS NOT DISTINCT FROM (n.\"day\")::text))");
    }

    @Test
    void checksTheIndexOfTheKeyOnlyWhereItIsNeeded() {
        TableShape indexed = new TableShape(
                "\"t\"", "public.\"t\"", COORDINATES.columns(), true, Optional.of(new TableShape.KeyIndex(7, 6)));
        String check = "'\"t\"'::pg_catalog.regclass::oid = 6 AND pg_catalog.pg_index_has_property(7, ";

        assertThat(values(KAFKA, indexed, 1, false)).endsWith(" VALUES (?,?,?,?)");
        assertThat(new UnnestInsert(sql(KAFKA)).text(indexed, false)).doesNotContain(check);
        assertThat(sql(KAFKA).copyInto(indexed)).doesNotContain(check);
        assertThat(values(KAFKA, indexed, 1, true)).contains("NOT EXISTS", check);

        assertThat(values(KAFKA + " insert.mode=ignore", indexed, 1, false)).contains(check);
        assertThat(sql(KAFKA + " insert.mode=ignore").copyInto(indexed)).contains(check);
        assertThat(values(KAFKA + " insert.mode=ignore", indexed, 1, true))
                .doesNotContain(check)
                .endsWith(" DO NOTHING");
    }

    @Test
    void replacesRowsThatAreThere() {
        assertThat(unnest(KEY, KEYED))
                .isEqualTo("INSERT INTO \"t\" AS o (\"doc\", \"id\") SELECT r.v0::jsonb, r.v1::bigint"
                        + " FROM unnest(?::text[], ?::text[]) AS r(v0, v1)"
                        + " ON CONFLICT (\"id\") DO UPDATE SET \"doc\" = EXCLUDED.\"doc\"");
    }

    @Test
    void mergesIntoRowsThatAreThere() {
        assertThat(unnest(KEY + " insert.mode=merge", KEYED))
                .endsWith(" ON CONFLICT (\"id\") DO UPDATE SET \"doc\" ="
                        + " CASE WHEN jsonb_typeof(o.\"doc\") = 'object' AND jsonb_typeof(EXCLUDED.\"doc\") = 'object'"
                        + " THEN o.\"doc\" || EXCLUDED.\"doc\" ELSE EXCLUDED.\"doc\" END");
    }

    @Test
    void parsesTheValueOnceForAllColumnsThatAreMadeOfIt() {
        assertThat(unnest("extract.columns=station:$.metadata.id::text,v:$.v", KEYED))
                .isEqualTo("INSERT INTO \"t\" AS o (\"doc\", \"station\", \"v\")"
                        + " SELECT r.v0::jsonb, (r.v0::jsonb #>> ARRAY['metadata','id'])::text,"
                        + " (r.v0::jsonb #>> ARRAY['v'])"
                        + " FROM (SELECT s.v0::jsonb AS v0 FROM unnest(?::text[]) AS s(v0) OFFSET 0) AS r");
    }

    @Test
    void anOlderOffsetReplacesNothing() {
        assertThat(unnest(KEY + " metadata.columns=topic:t,partition:p,offset:o stale.write.guard=offset", COORDINATES))
                .endsWith(" WHERE (o.\"t\" IS DISTINCT FROM EXCLUDED.\"t\" OR o.\"p\" IS DISTINCT FROM EXCLUDED.\"p\""
                        + " OR (o.\"o\" IS NULL OR EXCLUDED.\"o\" >= o.\"o\"))");
    }

    @Test
    void anOlderDocumentReplacesNothingAndTheSameOneNeither() {
        assertThat(unnest(KEY + " extract.columns=v:$.v::int stale.write.guard=v skip.unchanged=true", KEYED))
                .endsWith(" WHERE (o.\"v\" IS NULL OR EXCLUDED.\"v\" >= o.\"v\")"
                        + " AND (o.\"doc\", o.\"v\") IS DISTINCT FROM (EXCLUDED.\"doc\", EXCLUDED.\"v\")");
    }

    @Test
    void deletesByKeyInTheTypeOfTheColumn() {
        assertThat(delete(KEY, KEYED))
                .isEqualTo("DELETE FROM \"t\" AS o USING unnest(?::text[]) AS r(v0) WHERE o.\"id\" = r.v0::bigint");
        assertThat(delete(
                        KEY + " value.envelope=debezium metadata.columns=source_position:o"
                                + " stale.write.guard=source_position",
                        COORDINATES))
                .isEqualTo("DELETE FROM \"t\" AS o USING unnest(?::text[], ?::bigint[]) AS r(v0, \"o\")"
                        + " WHERE o.\"id\" = r.v0 AND (o.\"o\" IS NULL OR r.\"o\" >= o.\"o\")");
    }

    @Test
    void deletesByKeysOfSeveralFields() {
        assertThat(delete("pk.mode=record_key pk.fields=id,day insert.mode=upsert", KEYED))
                .endsWith(" WHERE o.\"id\" = (r.v0::json ->> 0)::bigint AND o.\"day\" = (r.v0::json ->> 1)");
    }

    @Test
    void anOlderDeletionDeletesNothing() {
        assertThat(delete(KEY + " metadata.columns=topic:t,partition:p,offset:o stale.write.guard=offset", COORDINATES))
                .isEqualTo("DELETE FROM \"t\" AS o USING unnest(?::text[], ?::text[], ?::integer[], ?::bigint[])"
                        + " AS r(v0, \"t\", \"p\", \"o\") WHERE o.\"id\" = r.v0"
                        + " AND (o.\"t\" IS DISTINCT FROM r.\"t\" OR o.\"p\" IS DISTINCT FROM r.\"p\""
                        + " OR (o.\"o\" IS NULL OR r.\"o\" >= o.\"o\"))");
    }

    @Test
    void quotesWhateverComesFromOutside() {
        assertThat(unnest("value.column.name=d\"x extract.columns=c:$['a\\'b'] insert.mode=insert", KEYED))
                .contains("(\"d\"\"x\", \"c\")", "ARRAY['a''b']");
    }

    @Test
    void createsTheTableThatRowsNeed() {
        assertThat(ddl("pk.mode=record_key pk.fields=id,day insert.mode=upsert metadata.columns=offset,headers:h"
                        + " extract.columns=level:$.v::numeric(10)"))
                .isEqualTo("CREATE TABLE IF NOT EXISTS \"t\" (\"doc\" jsonb, \"id\" text, \"day\" text,"
                        + " \"__connect_offset\" bigint, \"h\" jsonb, \"level\" numeric(10),"
                        + " PRIMARY KEY (\"id\", \"day\"))");
        assertThat(ddl("pk.mode=kafka metadata.columns=timestamp:at"))
                .isEqualTo("CREATE TABLE IF NOT EXISTS \"t\" (\"doc\" jsonb, \"__connect_topic\" text,"
                        + " \"__connect_partition\" integer, \"__connect_offset\" bigint,"
                        + " \"at\" timestamp with time zone)");
    }

    @Test
    void staysWithinTheParametersOfTheProtocol() {
        assertThat(new ValuesInsert(sql("")).maxRows()).isEqualTo(65_525);
        assertThat(new ValuesInsert(sql(KAFKA)).maxRows()).isEqualTo(16_381);
    }

    @Test
    void autoCopiesLargeAppendsIntoColumnsThatNeedNoCast() {
        InsertStrategy inserts = strategy("");
        List<Document> large = rows(1_000, 10);

        assertThat(inserts.copies(KEYED, large, false)).isTrue();
        assertThat(inserts.copies(KEYED, large, true)).isFalse();
        assertThat(inserts.copies(TableShapes.of("t", Map.of("doc", "json")), large, false))
                .isTrue();
        assertThat(inserts.copies(TableShapes.of("t", Map.of("doc", "text")), large, false))
                .isTrue();
        assertThat(inserts.copies(TableShapes.of("t", Map.of("doc", "bytea")), large, false))
                .isFalse();
        assertThat(inserts.copies(TableShapes.of("t", Map.of("doc", "jsonb"), Set.of(), false), large, false))
                .isFalse();
        assertThat(strategy("extract.columns=c:$.c").copies(KEYED, large, false))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"999, 10, false", "1000, 10, true", "1, 262144, true", "10, 26215, true", "10, 26214, false"})
    void autoCopiesFromAThousandRowsOrAQuarterOfAMegabyte(int rows, int bytes, boolean isCopied) {
        InsertStrategy inserts = strategy("");

        assertThat(inserts.copies(KEYED, rows(rows, bytes), false)).isEqualTo(isCopied);
    }

    private static InsertStrategy strategy(String settings) {
        return new InsertStrategy(InsertMethod.AUTO, sql(settings), new Dialect("a server"));
    }

    private static List<Document> rows(int count, int bytes) {
        Document row = Documents.append(0, "\"t\"", "\"" + "x".repeat(bytes - 2) + "\"");
        return Collections.nCopies(count, row);
    }

    private static String values(String settings, TableShape shape, int rows, boolean onConflict) {
        return new ValuesInsert(sql(settings)).text(shape, rows, onConflict);
    }

    private static String unnest(String settings, TableShape shape) {
        boolean onConflict = settings.contains("insert.mode") && !settings.contains("insert.mode=insert");
        return withoutCheck(new UnnestInsert(sql(settings)).text(shape, onConflict));
    }

    private static String withoutCheck(String text) {
        assertThat(text).containsPattern(CHECK);
        return CHECK.matcher(text).replaceFirst("");
    }

    private static String delete(String settings, TableShape shape) {
        AbstractConfig config = config(settings);
        return withoutCheck(new RowDelete(RowSettings.from(config), InsertSettings.from(config)).text(shape));
    }

    private static String ddl(String settings) {
        AbstractConfig config = config(settings);
        return new TableCreation(RowSettings.from(config), InsertSettings.from(config)).ddl("\"t\"");
    }

    private static RowSql sql(String settings) {
        AbstractConfig config = config(settings);
        return new RowSql(RowSettings.from(config), InsertSettings.from(config));
    }

    private static AbstractConfig config(String settings) {
        Map<String, String> props = Props.of(settings + " connection.url=jdbc:postgresql://localhost/db");
        assertThat(new PostgresTargetType().validate(props)).isEmpty();
        return new AbstractConfig(new PostgresTargetType().config(), props, false);
    }
}
