package io.tidegate.connect.check.oracle;

import io.tidegate.connect.check.oracle.Promises.Delivery;
import io.tidegate.connect.check.oracle.Promises.Identity;
import io.tidegate.connect.check.oracle.Promises.Newer;
import io.tidegate.connect.check.oracle.Promises.Nulls;
import io.tidegate.connect.check.oracle.Promises.Reading;
import io.tidegate.connect.check.oracle.Promises.Unstorable;
import io.tidegate.connect.check.oracle.Promises.Writing;
import java.util.List;
import java.util.Map;

/** What the Elasticsearch sink's documentation promises for a configuration. */
public final class ElasticsearchPromises {
    private static final int LONGEST_ID = 512;

    private ElasticsearchPromises() {}

    /**
     * Reads a configuration.
     *
     * @param integerFields fields that the mapping of the indexes has as integers
     * @param vectorFields fields that it has as vectors
     */
    public static Promises of(Map<String, String> settings, List<String> integerFields, List<String> vectorFields) {
        ConnectPromises connect = new ConnectPromises(settings);
        Identity identity = identity(connect);
        Writing writing =
                switch (connect.get("write.method", "index")) {
                    case "create" -> Writing.KEEP;
                    case "upsert" -> Writing.MERGE_DEEP;
                    default -> Writing.REPLACE;
                };
        String nulls = connect.get("behavior.on.null.values", "fail");
        return new Promises(
                Delivery.AT_LEAST_ONCE,
                identity,
                identity == Identity.NONE ? Writing.APPEND : writing,
                nulls.equals("delete"),
                nulls.equals("fail") ? Nulls.REFUSED : Nulls.SKIPPED,
                newer(connect, identity, writing),
                false,
                false,
                connect.isLettered()
                        && connect.get("behavior.on.malformed.documents", "dlq").equals("dlq"),
                new Reading(
                        connect.valueForm(),
                        connect.isConverted(),
                        identity == Identity.KEY,
                        Unstorable.STORED,
                        true,
                        integerFields,
                        vectorFields,
                        connect.isFramed(),
                        connect.droppedHeader(),
                        connect.dropsNulls(),
                        "id",
                        LONGEST_ID,
                        false,
                        connect.areTruncatesSkipped(),
                        connect.unavailable()),
                connect.destination(connect.get("index.name", "${topic}"), "index", true));
    }

    private static Identity identity(ConnectPromises connect) {
        boolean ignoresKey = connect.get("key.ignore", "false").equals("true");
        return switch (connect.get("document.id", "auto")) {
            case "auto" -> ignoresKey ? Identity.COORDINATES : Identity.KEY;
            case "key" -> Identity.KEY;
            case "coordinates" -> Identity.COORDINATES;
            case "none" -> Identity.NONE;
            default -> Identity.FIELD;
        };
    }

    private static Newer newer(ConnectPromises connect, Identity identity, Writing writing) {
        return switch (connect.get("external.version", "auto")) {
            case "auto" -> identity == Identity.KEY && writing == Writing.REPLACE ? Newer.BY_OFFSET : Newer.BY_ORDER;
            case "none" -> Newer.BY_ORDER;
            case "offset" -> Newer.BY_OFFSET;
            case "source_position" -> Newer.BY_POSITION;
            default -> Newer.BY_VERSION;
        };
    }
}
