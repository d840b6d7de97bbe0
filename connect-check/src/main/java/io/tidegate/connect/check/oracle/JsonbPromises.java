package io.tidegate.connect.check.oracle;

import io.tidegate.connect.check.oracle.Promises.Delivery;
import io.tidegate.connect.check.oracle.Promises.Identity;
import io.tidegate.connect.check.oracle.Promises.Newer;
import io.tidegate.connect.check.oracle.Promises.Nulls;
import io.tidegate.connect.check.oracle.Promises.Reading;
import io.tidegate.connect.check.oracle.Promises.Unstorable;
import io.tidegate.connect.check.oracle.Promises.ValueForm;
import io.tidegate.connect.check.oracle.Promises.Writing;
import java.util.List;
import java.util.Map;

/** What the JSONB sink's documentation promises for a configuration. */
public final class JsonbPromises {
    private JsonbPromises() {}

    /**
     * Reads a configuration.
     *
     * @param unique whether the tables have a unique index on exactly the columns of the key
     * @param vectorFields fields that have a column for vectors
     */
    public static Promises of(Map<String, String> settings, boolean unique, List<String> vectorFields) {
        ConnectPromises connect = new ConnectPromises(settings);
        Identity identity =
                switch (connect.get("pk.mode", "none")) {
                    case "kafka" -> Identity.COORDINATES;
                    case "record_key" -> Identity.KEY;
                    case "record_value" -> Identity.FIELD;
                    default -> Identity.NONE;
                };
        Writing writing =
                switch (connect.get("insert.mode", "insert")) {
                    case "upsert" -> Writing.REPLACE;
                    case "ignore" -> Writing.KEEP;
                    case "merge" -> Writing.MERGE;
                    default -> unique ? Writing.KEEP : Writing.APPEND;
                };
        boolean deletes = connect.get("delete.enabled", "false").equals("true");
        String guard = connect.get("stale.write.guard", "none");
        return new Promises(
                connect.get("delivery.guarantee", "at_least_once").equals("exactly_once")
                        ? Delivery.EXACTLY_ONCE
                        : Delivery.AT_LEAST_ONCE,
                identity,
                writing,
                deletes,
                connect.get("behavior.on.null.values", "ignore").equals("fail") ? Nulls.REFUSED : Nulls.SKIPPED,
                switch (guard) {
                    case "none" -> Newer.BY_ORDER;
                    case "offset" -> Newer.BY_OFFSET_OF_PARTITION;
                    case "source_position" -> Newer.BY_POSITION_OF_ROW;
                    default -> Newer.BY_VERSION;
                },
                connect.get("ordering", "partition").equals("partition"),
                connect.get("skip.unchanged", "false")
                        .equals("false"), // a row that stays as it is keeps its coordinates
                connect.isLettered(),
                reading(connect, identity, vectorFields),
                connect.destination(connect.get("table.name.format", "${topic}"), "table", false));
    }

    private static Reading reading(ConnectPromises connect, Identity identity, List<String> vectorFields) {
        ValueForm form = connect.valueForm();
        return new Reading(
                form,
                connect.isConverted(),
                identity == Identity.KEY,
                switch (connect.get("behavior.on.unstorable.characters", "fail")) {
                    case "replace" -> Unstorable.REPLACED;
                    case "strip" -> Unstorable.STRIPPED;
                    default -> Unstorable.REFUSED;
                },
                false,
                List.of(),
                vectorFields,
                connect.isFramed(),
                connect.droppedHeader(),
                connect.dropsNulls(),
                "id",
                Integer.MAX_VALUE,
                !connect.get("columns.from.fields", "none").equals("none"),
                connect.areTruncatesSkipped(),
                connect.unavailable());
    }
}
