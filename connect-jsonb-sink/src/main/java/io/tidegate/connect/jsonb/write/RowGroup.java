package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.sql.TableShape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Documents that one statement can take. They have one table, are all written or all deleted, and fit its number of
 * parameters.
 *
 * @param table as written in a statement
 * @param omitted columns for which these documents have no field, see {@link TableShape}
 */
record RowGroup(String table, boolean isDelete, Set<String> omitted, List<Document> documents) {
    RowGroup(String table, boolean isDelete, List<Document> documents) {
        this(table, isDelete, Set.of(), documents);
    }

    /** Documents of one table. */
    static RowGroup of(List<Document> rows) {
        Document first = rows.get(0);
        return new RowGroup(first.destination(), first.isDelete(), rows);
    }

    /** The group's table without the columns that are left out. */
    TableShape shape(TableShape whole) {
        return whole.without(omitted);
    }

    /** Rows that leave out no column. */
    static final Function<Document, Set<String>> WHOLE = document -> Set.of();

    /** Says whether documents of a batch may share a key. */
    enum Keys {
        /** Some may share a key, and a statement takes them in their order. */
        ANY,
        /** No two share a key, so their order does not matter. */
        UNIQUE,
        /** Some may share a key, and no statement takes two of those: the second goes into a later statement. */
        IN_TURN,
        /**
         * As {@link #IN_TURN}, but the server may treat keys with different bytes as equal, so every document keeps its
         * place.
         */
        IN_ORDER;

        /** The value to use if the server may treat keys with different bytes as equal. */
        Keys withSeveralForms() {
            return this == IN_TURN ? IN_ORDER : ANY;
        }
    }

    /** The documents of each table. The tables are in one order, so that two tasks cannot wait for each other's rows. */
    static Collection<List<Document>> byTable(List<Document> documents) {
        if (isUniform(documents)) {
            return List.of(documents);
        }
        Map<String, List<Document>> byTable = new HashMap<>(); // a look-up costs less than in a sorted map
        for (Document document : documents) {
            byTable.computeIfAbsent(document.destination(), table -> new ArrayList<>())
                    .add(document);
        }
        return new TreeMap<>(byTable).values();
    }

    /**
     * Cuts a batch into groups. Documents with the same key and table stay in order. The tables are in one order, as in
     * {@link #byTable}.
     */
    static List<RowGroup> of(List<Document> documents, int maxRows, Keys keys) {
        return of(documents, maxRows, keys, WHOLE);
    }

    /**
     * The same of documents whose rows may leave out columns. A group has rows that leave out the same ones.
     *
     * @param omitted the columns that a document's row leaves out
     */
    static List<RowGroup> of(
            List<Document> documents, int maxRows, Keys keys, Function<Document, Set<String>> omitted) {
        boolean areRepeated = keys == Keys.IN_TURN || keys == Keys.IN_ORDER;
        if (!areRepeated && isWhole(omitted) && isUniform(documents) && documents.size() <= maxRows) {
            Document first = documents.get(0);
            return List.of(new RowGroup(first.destination(), first.isDelete(), documents));
        }
        Map<String, Runs> byTable = new HashMap<>();
        for (Document document : documents) {
            byTable.computeIfAbsent(document.destination(), table -> new Runs(table, maxRows, keys, omitted))
                    .add(document);
        }
        return new TreeMap<>(byTable)
                .values().stream().flatMap(runs -> runs.runs.stream()).toList();
    }

    @SuppressWarnings("ReferenceEquality") // the same function
    private static boolean isWhole(Function<Document, Set<String>> omitted) {
        return omitted == WHOLE;
    }

    private static boolean isUniform(List<Document> documents) {
        Document first = documents.get(0);
        for (Document document : documents) {
            if (document.isDelete() != first.isDelete()
                    || !document.destination().equals(first.destination())) {
                return false;
            }
        }
        return true;
    }

    /** The groups of one table. */
    private static final class Runs {
        private final String table;
        private final int maxRows;
        private final Keys keys;
        private final Function<Document, Set<String>> omitted;
        private final List<RowGroup> runs = new ArrayList<>();
        private final Map<ByteBuffer, Integer> runOfKey = new HashMap<>();

        Runs(String table, int maxRows, Keys keys, Function<Document, Set<String>> omitted) {
            this.table = table;
            this.maxRows = maxRows;
            this.keys = keys;
            this.omitted = omitted;
        }

        void add(Document document) {
            int last = Math.max(0, runs.size() - 1);
            int first =
                    switch (keys) {
                        case ANY -> last; // only the last group keeps the order
                        case UNIQUE -> 0;
                        case IN_TURN -> afterSameKey(document);
                        case IN_ORDER -> Math.max(last, afterSameKey(document));
                    };
            int run = openRun(document, first);
            runs.get(run).documents.add(document);
            if ((keys == Keys.IN_TURN || keys == Keys.IN_ORDER) && document.hasKey()) {
                runOfKey.put(ByteBuffer.wrap(document.key()), run);
            }
        }

        private int afterSameKey(Document document) {
            return runOfKey.getOrDefault(ByteBuffer.wrap(document.key()), -1) + 1;
        }

        private int openRun(Document document, int first) {
            Set<String> columns = omitted.apply(document);
            for (int i = first; i < runs.size(); i++) {
                RowGroup run = runs.get(i);
                if (run.isDelete == document.isDelete()
                        && run.omitted.equals(columns)
                        && run.documents.size() < maxRows) {
                    return i;
                }
            }
            runs.add(new RowGroup(table, document.isDelete(), columns, new ArrayList<>()));
            return runs.size() - 1;
        }
    }
}
