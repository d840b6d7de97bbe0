package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.sql.InsertStrategy;
import io.tidegate.connect.jsonb.sql.JointStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Commits as many groups of a batch together as it can. Committed groups are not written again. */
final class AtLeastOnceWrite implements BatchWrite {
    private final BatchCut cut;
    private final InsertStrategy strategy;
    private final RowGroupWriter groups;
    private final BatchFailures failures;

    AtLeastOnceWrite(LaneWriting lane) {
        this.cut = lane.cut();
        this.strategy = lane.strategy();
        this.groups = lane.groups();
        this.failures = lane.failures();
    }

    @Override
    public List<Refusal> write(Connection connection, List<Document> documents) throws WriteException {
        List<RowGroup> written = new ArrayList<>();
        try {
            List<RowGroup> batch = cut.groupsOf(connection, documents);
            for (List<RowGroup> commit : cut.commitsOf(connection, batch)) {
                if (commit.size() > 1 && areWrittenJointly(connection, commit)) {
                    written.addAll(commit);
                } else {
                    writeOneByOne(connection, commit, written);
                }
            }
            strategy.written();
            return List.of();
        } catch (RowGroupException e) {
            return failures.refusals(connection, e, unwritten(documents, written));
        } catch (SQLException e) {
            throw failures.of(e, unwritten(documents, written));
        }
    }

    /**
     * Whether the groups are written. If not, none of them is.
     *
     * @throws SQLException if the whole attempt failed, and not a single group
     */
    private boolean areWrittenJointly(Connection connection, List<RowGroup> commit) throws SQLException {
        try {
            groups.writeJointly(connection, commit, new JointStatement());
            return true;
        } catch (SQLException e) {
            if (BatchFailures.endsAttempt(e)) {
                throw e;
            }
            return false; // one by one, they show which group failed
        }
    }

    private void writeOneByOne(Connection connection, List<RowGroup> commit, List<RowGroup> written)
            throws RowGroupException {
        for (RowGroup group : commit) {
            groups.write(connection, group, Optional.empty());
            written.add(group);
        }
    }

    private static List<Document> unwritten(List<Document> documents, List<RowGroup> written) {
        if (written.isEmpty()) {
            return documents;
        }
        Set<Document> done = new HashSet<>();
        written.forEach(group -> done.addAll(group.documents()));
        return documents.stream().filter(each -> !done.contains(each)).toList();
    }
}
