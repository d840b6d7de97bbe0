package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.jsonb.write.RowGroup.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RowGroupTest {
    @Test
    void aUniformBatchIsOneRun() {
        List<Document> batch = List.of(Documents.append(1, "a", "1"), Documents.append(2, "a", "2"));

        assertThat(RowGroup.of(batch, 10, Keys.ANY)).containsExactly(new RowGroup("a", false, batch));
    }

    @Test
    void staysWithinTheParametersOfAStatement() {
        List<Document> batch =
                List.of(Documents.append(1, "a", "1"), Documents.append(2, "a", "2"), Documents.append(3, "a", "3"));

        assertThat(RowGroup.of(batch, 2, Keys.ANY))
                .extracting(run -> run.documents().size())
                .containsExactly(2, 1);
    }

    @Test
    void eachTableHasItsOwnRuns() {
        Document first = Documents.append(1, "a", "1");
        Document second = Documents.append(2, "b", "2");
        Document third = Documents.append(3, "a", "3");

        assertThat(RowGroup.of(List.of(first, second, third), 10, Keys.ANY))
                .containsExactly(
                        new RowGroup("a", false, List.of(first, third)), new RowGroup("b", false, List.of(second)));
    }

    @Test
    void keepsWritesAndDeletesInOrder() {
        Document written = Documents.write(1, "a", "k", "1");
        Document deleted = Documents.delete(2, "a", "k");
        Document again = Documents.write(3, "a", "k", "3");

        assertThat(RowGroup.of(List.of(written, deleted, again), 10, Keys.ANY))
                .extracting(RowGroup::isDelete)
                .containsExactly(false, true, false);
    }

    @Test
    void writesAndDeletesAreOneRunEachWhenKeysAreUnique() {
        List<Document> batch = List.of(
                Documents.write(1, "a", "k1", "1"), Documents.delete(2, "a", "k2"), Documents.write(3, "a", "k3", "3"));

        assertThat(RowGroup.of(batch, 10, Keys.UNIQUE))
                .extracting(RowGroup::isDelete)
                .containsExactly(false, true);
    }

    @Test
    void recordsWithOneKeyWaitForTheirTurn() {
        Document first = Documents.write(1, "a", "k", "1");
        Document other = Documents.write(2, "a", "l", "2");
        Document second = Documents.write(3, "a", "k", "3");
        Document deleted = Documents.delete(4, "a", "l");
        Document third = Documents.write(5, "a", "l", "5");

        assertThat(RowGroup.of(List.of(first, other, second, deleted, third), 10, Keys.IN_TURN))
                .containsExactly(
                        new RowGroup("a", false, List.of(first, other)),
                        new RowGroup("a", false, List.of(second)),
                        new RowGroup("a", true, List.of(deleted)),
                        new RowGroup("a", false, List.of(third)));
    }

    @Test
    void whereKeysHaveSeveralFormsEveryDocumentKeepsItsPlace() {
        Document first = Documents.write(1, "a", "k", "1");
        Document other = Documents.write(2, "a", "l", "2");
        Document second = Documents.write(3, "a", "k", "3");
        Document upper = Documents.write(4, "a", "L", "4");
        Document deleted = Documents.delete(5, "a", "l");
        List<Document> batch = List.of(first, other, second, upper, deleted);

        assertThat(RowGroup.of(batch, 10, Keys.IN_TURN.withSeveralForms()))
                .containsExactly(
                        new RowGroup("a", false, List.of(first, other)),
                        new RowGroup("a", false, List.of(second, upper)),
                        new RowGroup("a", true, List.of(deleted)));
        assertThat(RowGroup.of(List.of(deleted, upper, first), 10, Keys.UNIQUE.withSeveralForms()))
                .containsExactly(
                        new RowGroup("a", true, List.of(deleted)), new RowGroup("a", false, List.of(upper, first)));
    }
}
