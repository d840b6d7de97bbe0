package io.tidegate.connect.jsonb;

import io.tidegate.connect.common.document.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Documents that one statement can take: of one table, all written or all deleted, within its number of parameters.
 *
 * @param table as it stands in a statement
 */
record Run(String table, boolean isDelete, List<Document> documents) {
    /**
     * Cuts a batch into runs. The order within a table is kept, unless keys are unique: then one run writes and
     * one deletes.
     */
    static List<Run> of(List<Document> documents, int maxRows, boolean keysAreUnique) {
        if (isUniform(documents) && documents.size() <= maxRows) {
            Document first = documents.get(0);
            return List.of(new Run(first.destination(), first.isDelete(), documents));
        }
        Map<String, List<Run>> byTable = new LinkedHashMap<>();
        for (Document document : documents) {
            List<Run> runs = byTable.computeIfAbsent(document.destination(), table -> new ArrayList<>());
            openRun(runs, document, maxRows, keysAreUnique).documents().add(document);
        }
        return byTable.values().stream().flatMap(List::stream).toList();
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

    private static Run openRun(List<Run> runs, Document document, int maxRows, boolean keysAreUnique) {
        for (int i = runs.size() - 1; i >= 0; i--) {
            Run run = runs.get(i);
            if (run.isDelete == document.isDelete() && run.documents.size() < maxRows) {
                return run;
            }
            if (!keysAreUnique) {
                break; // only the last run keeps the order
            }
        }
        Run run = new Run(document.destination(), document.isDelete(), new ArrayList<>());
        runs.add(run);
        return run;
    }
}
