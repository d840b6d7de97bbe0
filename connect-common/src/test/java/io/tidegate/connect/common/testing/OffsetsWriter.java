package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.offset.StartingPoint;
import io.tidegate.connect.common.recovery.OffsetStore;
import io.tidegate.connect.common.recovery.OffsetStore.Move;
import io.tidegate.connect.common.recovery.OwnedOffsets;
import io.tidegate.connect.common.recovery.StoredOffset;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/** A lane's way to {@link MemoryOffsetStore}: exactly once, as the sink for PostgreSQL does it, without its statements. */
public final class OffsetsWriter implements BatchWriter {
    private final MemoryOffsetStore server;
    private final OffsetStore<IOException> store;
    private final OwnedOffsets owned = new OwnedOffsets();
    private final Predicate<Document> poison;
    private final Trouble trouble;
    private final ServerOffsets offsets = new Offsets();

    /** What goes wrong around a statement. */
    public interface Trouble {
        /** Before the server has the statement. */
        default void before() throws IOException {}

        /** After the server has committed it, before its answer arrives. */
        default void after() throws IOException {}

        /** The destinations for which the server accepts nothing in this attempt. */
        default Set<String> closed(List<Document> attempted) {
            return Set.of();
        }

        /** The server has committed this document. */
        default void committed(Document document) {}
    }

    public OffsetsWriter(MemoryOffsetStore offsets, Predicate<Document> poison, Trouble trouble) {
        this.server = offsets;
        this.store = new TroubledOffsets(offsets, trouble);
        this.poison = poison;
        this.trouble = trouble;
    }

    /** Without trouble. */
    public OffsetsWriter(MemoryOffsetStore offsets, Predicate<Document> poison) {
        this(offsets, poison, new Trouble() {});
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        List<Document> unwritten = documents;
        try {
            unwritten = owned.unwritten(store, documents);
            if (unwritten.isEmpty()) {
                return List.of();
            }
            requireOpen(unwritten);
            Optional<Document> culprit = unwritten.stream().filter(poison).findFirst();
            if (culprit.isPresent()) {
                return refuse(culprit.get(), unwritten);
            }
            commit(unwritten);
            return List.of();
        } catch (IOException e) {
            throw WriteException.ofAll(Failure.TRANSIENT, e.getMessage(), e, unwritten);
        }
    }

    /** All is written in one transaction, so one closed destination ends the attempt for all. */
    private void requireOpen(List<Document> documents) throws WriteException {
        Map<String, String> reasons = new HashMap<>();
        trouble.closed(documents).forEach(destination -> reasons.put(destination, "locked"));
        reasons.keySet().retainAll(documents.stream().map(Document::destination).toList());
        if (!reasons.isEmpty()) {
            throw WriteException.ofAll(Failure.DESTINATION, "locked", null, documents)
                    .as(Failure.DESTINATION, "locked", reasons);
        }
    }

    private static List<Refusal> refuse(Document culprit, List<Document> documents) throws WriteException {
        List<Refusal> refusals = List.of(new Refusal(culprit, new RefusedException("poison")));
        List<Document> others =
                documents.stream().filter(each -> each != culprit).toList();
        if (others.isEmpty()) {
            return refusals;
        }
        throw WriteException.ofSome(Failure.REJECTED, "poison", null, others, refusals, Optional.empty());
    }

    private void commit(List<Document> documents) throws IOException {
        Map<Move, Document> moves = new HashMap<>();
        OwnedOffsets.lastOfEach(documents)
                .forEach((progress, last) ->
                        moves.put(new Move(progress.partition(), owned.of(progress), last.offset() + 1), last));
        try {
            trouble.before();
            if (!server.commit(moves, documents)) {
                throw new IOException(owned.isRefuted(store) ? "not what was known" : "refused for no reason");
            }
            documents.forEach(trouble::committed);
            trouble.after();
        } catch (IOException e) {
            owned.doubt();
            throw e;
        }
        owned.moved(documents);
    }

    private record TroubledOffsets(MemoryOffsetStore offsets, Trouble trouble) implements OffsetStore<IOException> {
        @Override
        public Map<TopicPartition, StoredOffset> claimKnown(Collection<TopicPartition> partitions) throws IOException {
            trouble.before();
            Map<TopicPartition, StoredOffset> answer = offsets.claimKnown(partitions);
            trouble.after();
            return answer;
        }

        @Override
        public Map<TopicPartition, StoredOffset> claim(Map<TopicPartition, Long> firstOffsets) throws IOException {
            trouble.before();
            Map<TopicPartition, StoredOffset> answer = offsets.claim(firstOffsets);
            trouble.after();
            return answer;
        }

        @Override
        public Map<TopicPartition, StoredOffset> read(Collection<TopicPartition> partitions) throws IOException {
            trouble.before();
            return offsets.read(partitions);
        }

        @Override
        public int raise(Collection<Move> moves) throws IOException {
            trouble.before();
            int raised = offsets.raise(moves);
            trouble.after();
            return raised;
        }
    }

    @Override
    public Optional<ServerOffsets> offsets() {
        return Optional.of(offsets);
    }

    private final class Offsets implements ServerOffsets {
        @Override
        public Map<Progress, Optional<StartingPoint>> claim(Collection<Progress> partitions) throws WriteException {
            return ask(() -> owned.claim(store, partitions));
        }

        @Override
        public Map<Progress, Long> store(Map<Progress, Long> nextOffsets) throws WriteException {
            return ask(() -> owned.store(store, nextOffsets));
        }

        @Override
        public void verify() throws WriteException {
            if (!owned.isEmpty()) {
                boolean unused = ask(() -> {
                    owned.verify(store);
                    return true;
                });
            }
        }

        @Override
        public long recognised() {
            return owned.recognised();
        }
    }

    private interface Question<T> {
        T ask() throws IOException;
    }

    private static <T> T ask(Question<T> question) throws WriteException {
        try {
            return question.ask();
        } catch (IOException e) {
            throw WriteException.ofOffsets(Failure.TRANSIENT, e.getMessage(), e);
        }
    }

    @Override
    public long kept() {
        return 0;
    }

    @Override
    public void abort() {
        // every statement ends at once
    }

    @Override
    public void close() {
        // holds nothing
    }
}
