package io.tidegate.connect.jsonb.write;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/** Each group is committed alone; what is committed is not written again. */
final class AtLeastOnceWrite implements BatchWrite {
    private final RowGroupWriter groups;
    private final BatchFailures failures;

    AtLeastOnceWrite(RowGroupWriter groups, BatchFailures failures) {
        this.groups = requireNonNull(groups, "groups");
        this.failures = requireNonNull(failures, "failures");
    }

    @Override
    public List<Refusal> write(Connection connection, List<Document> documents) throws WriteException {
        List<RowGroup> batch = List.of();
        int written = 0;
        try {
            batch = groups.groupsOf(connection, documents);
            for (RowGroup group : batch) {
                groups.write(connection, group, Optional.empty());
                written++;
            }
            return List.of();
        } catch (RowGroupException e) {
            return failures.refusals(connection, e, unwritten(documents, batch, written));
        }
    }

    private static List<Document> unwritten(List<Document> documents, List<RowGroup> groups, int written) {
        if (groups.size() <= 1) {
            return documents; // in their own order
        }
        return groups.subList(written, groups.size()).stream()
                .flatMap(group -> group.documents().stream())
                .toList();
    }
}
