package io.tidegate.connect.common.lane;

import static io.tidegate.connect.common.testing.Records.document;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.testing.Records;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BatchTest {
    private final Progress first = Records.progress(0);
    private final Progress second = Records.progress(1);

    private List<Document> accepted(Document... documents) {
        for (Document document : documents) {
            document.progress().accept(0, document.offset());
        }
        return List.of(documents);
    }

    @Test
    void writesEverythingWhereNothingIsSuperseded() {
        List<Document> slice = accepted(document(first, 1, "k"), document(first, 2, "k"));

        assertThat(Batch.of(slice, false).documents()).isEqualTo(slice);
    }

    @Test
    void writesTheLastOfEachKeyInOrder() {
        Document a1 = document(first, 1, "a");
        Document b2 = document(first, 2, "b");
        Document a3 = document(first, 3, "a");
        Document c4 = document(first, 4, "c");

        assertThat(Batch.of(accepted(a1, b2, a3, c4), true).documents()).containsExactly(b2, a3, c4);
    }

    @Test
    void keepsDocumentsWithoutAKey() {
        List<Document> slice = accepted(document(first, 1), document(first, 2));

        assertThat(Batch.of(slice, true).documents()).isEqualTo(slice);
    }

    @Test
    void tellsKeysOfDifferentDestinationsApart() {
        Document here = document(first, 1, "a");
        Document there = Document.write(here.record(), first, "elsewhere", here.key(), here.json());

        assertThat(Batch.of(List.of(here, there), true).documents()).containsExactly(here, there);
    }

    @Test
    void remembersWhatWasSupersededOneBehindTheOther() {
        Document a1 = document(first, 1, "a");
        Document a2 = document(first, 2, "a");
        Document a3 = document(second, 9, "a");

        Batch batch = Batch.of(accepted(a1, a2, a3), true);

        assertThat(batch.documents()).containsExactly(a3);
        assertThat(batch.supersededBy(a3)).containsSame(a2);
        assertThat(batch.supersededBy(a2)).containsSame(a1);
        assertThat(batch.supersededBy(a1)).isEmpty();
    }

    @Test
    void acknowledgesTheLastOffsetOfEachPartition() {
        Batch batch = Batch.of(
                accepted(
                        document(first, 1, "a"),
                        document(second, 7, "a"),
                        document(first, 2, "a"),
                        document(second, 8, "b")),
                true);
        first.accept(0, 3);

        batch.acknowledge(0);

        assertThat(first.firstPending()).hasValue(3);
        assertThat(second.firstPending()).isEmpty();
    }

    @Test
    void countsTheBytesOfSupersededDocumentsToo() {
        Document a1 = document(first, 1, "a");
        Document a2 = document(first, 2, "a");

        assertThat(Batch.of(accepted(a1, a2), true).bytesHeld()).isEqualTo(a1.bytesHeld() + a2.bytesHeld());
    }
}
