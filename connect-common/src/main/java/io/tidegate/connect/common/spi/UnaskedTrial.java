package io.tidegate.connect.common.spi;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A trial that asks no server: it accepts every document. */
public final class UnaskedTrial implements TrialWriter {
    private final Function<Document, Map<String, Object>> description;

    /**
     * A trial.
     *
     * @param description what would be sent for a document
     */
    public UnaskedTrial(Function<Document, Map<String, Object>> description) {
        this.description = requireNonNull(description, "description");
    }

    @Override
    public List<Refusal> write(List<Document> documents) {
        return List.of();
    }

    @Override
    public Map<String, Object> describe(Document document) {
        return description.apply(document);
    }

    @Override
    public List<String> limits() {
        return List.of("The server was not asked: it may refuse records that are shown as written.");
    }

    @Override
    public void abort() {
        // Nothing waits.
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
