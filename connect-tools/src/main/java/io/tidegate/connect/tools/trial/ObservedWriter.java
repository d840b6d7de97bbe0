package io.tidegate.connect.tools.trial;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Remembers what a writer has accepted and how it failed last. One thread uses it. */
final class ObservedWriter implements BatchWriter {
    private final BatchWriter writer;
    private final Set<Document> accepted = Collections.newSetFromMap(new IdentityHashMap<>());
    private Optional<WriteException> lastFailure = Optional.empty();

    ObservedWriter(BatchWriter writer) {
        this.writer = requireNonNull(writer, "writer");
    }

    boolean hasAccepted(Document document) {
        return accepted.contains(document);
    }

    /** The last failure that was about the server and not about documents. */
    String lastFailure() {
        return lastFailure.map(WriteException::getMessage).orElse("the server accepts nothing");
    }

    /** Destinations that accepted nothing, with reasons. */
    Map<String, String> closedDestinations() {
        return lastFailure.map(WriteException::destinations).orElse(Map.of());
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        try {
            List<Refusal> refusals = writer.write(documents);
            accept(documents, Set.of(), refusals);
            return refusals;
        } catch (WriteException e) {
            accept(documents, new HashSet<>(e.unwritten()), e.refusals());
            lastFailure = Optional.of(e);
            throw e;
        }
    }

    private void accept(List<Document> documents, Set<Document> unwritten, List<Refusal> refusals) {
        Set<Document> refused = refusals.stream().map(Refusal::document).collect(Collectors.toSet());
        documents.stream()
                .filter(each -> !unwritten.contains(each) && !refused.contains(each))
                .forEach(accepted::add);
    }

    @Override
    public void abort() {
        writer.abort();
    }

    @Override
    public void close() {
        writer.close();
    }
}
