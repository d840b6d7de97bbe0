package io.tidegate.connect.common.spi;

import io.tidegate.connect.common.document.Document;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A writer that asks the server what it would do with documents, and leaves nothing there: for tools, not for tasks. It
 * refuses what the task's writer would refuse, with the same reasons. {@link #close} undoes what is not undone yet. One
 * thread uses it.
 */
public interface TrialWriter extends BatchWriter {
    /**
     * What would be sent for a document, for people: by name a text, or texts by name. The document's own JSON is left
     * out. Call it after {@link #write}. It asks the server at most once for each destination.
     */
    Map<String, Object> describe(Document document);

    /** What this trial cannot know of the real run; each is a sentence. Call it after {@link #write}. */
    List<String> limits();

    /** None: a trial leaves nothing. */
    @Override
    default long kept() {
        return 0;
    }

    /** None: a trial moves no offsets. */
    @Override
    default Optional<ServerOffsets> offsets() {
        return Optional.empty();
    }
}
