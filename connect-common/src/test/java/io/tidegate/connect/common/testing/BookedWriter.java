package io.tidegate.connect.common.testing;

import io.tidegate.connect.common.books.BookEntry;
import io.tidegate.connect.common.books.Books;
import io.tidegate.connect.common.books.Books.Move;
import io.tidegate.connect.common.books.FencedException;
import io.tidegate.connect.common.books.HeldOffsets;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.value.RefusedException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/** A lane's way to {@link MemoryBooks}: exactly once, as the sink for PostgreSQL does it, without its statements. */
public final class BookedWriter implements BatchWriter {
    private final MemoryBooks server;
    private final Books<IOException> books;
    private final HeldOffsets held;
    private final Predicate<Document> poison;
    private final Trouble trouble;

    /** What goes wrong around a statement. */
    public interface Trouble {
        /** Before the server has the statement. */
        default void before() throws IOException {}

        /** After the server has committed it, before its answer arrives. */
        default void after() throws IOException {}

        /** The server has committed this document. */
        default void committed(Document document) {}
    }

    public BookedWriter(MemoryBooks books, LongSupplier nanoTime, Predicate<Document> poison, Trouble trouble) {
        this.server = books;
        this.books = new TroubledBooks(books, trouble);
        this.held = new HeldOffsets(nanoTime);
        this.poison = poison;
        this.trouble = trouble;
    }

    /** Without trouble. */
    public BookedWriter(MemoryBooks books, Predicate<Document> poison) {
        this(books, System::nanoTime, poison, new Trouble() {});
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        List<Document> unwritten = documents;
        try {
            unwritten = held.unwritten(books, documents);
            if (unwritten.isEmpty()) {
                return List.of();
            }
            Optional<Document> culprit = unwritten.stream().filter(poison).findFirst();
            if (culprit.isPresent()) {
                return refuse(culprit.get(), unwritten);
            }
            commit(unwritten);
            return List.of();
        } catch (IOException | FencedException e) {
            throw WriteException.ofAll(Failure.TRANSIENT, e.getMessage(), e, unwritten);
        }
    }

    private static List<Refusal> refuse(Document culprit, List<Document> documents) throws WriteException {
        List<Refusal> refusals = List.of(new Refusal(culprit, new RefusedException("poison")));
        List<Document> others =
                documents.stream().filter(each -> each != culprit).toList();
        if (others.isEmpty()) {
            return refusals;
        }
        throw WriteException.ofSome(Failure.REJECTED, "poison", others, refusals, Optional.empty());
    }

    private void commit(List<Document> documents) throws IOException, FencedException {
        Map<Move, Document> moves = new HashMap<>();
        HeldOffsets.lastOfEach(documents)
                .forEach((progress, last) ->
                        moves.put(new Move(progress.partition(), held.entry(progress), last.offset() + 1), last));
        try {
            trouble.before();
            if (!server.commit(moves, documents)) {
                throw new IOException(held.isRefuted(books) ? "not what was known" : "refused for no reason");
            }
            documents.forEach(trouble::committed);
            trouble.after();
        } catch (IOException e) {
            held.doubt();
            throw e;
        }
        held.moved(documents);
    }

    private record TroubledBooks(MemoryBooks books, Trouble trouble) implements Books<IOException> {
        @Override
        public Map<TopicPartition, BookEntry> claimKnown(Collection<TopicPartition> partitions) throws IOException {
            trouble.before();
            Map<TopicPartition, BookEntry> answer = books.claimKnown(partitions);
            trouble.after();
            return answer;
        }

        @Override
        public Map<TopicPartition, BookEntry> claim(Map<TopicPartition, Long> firstOffsets) throws IOException {
            trouble.before();
            Map<TopicPartition, BookEntry> answer = books.claim(firstOffsets);
            trouble.after();
            return answer;
        }

        @Override
        public Map<TopicPartition, BookEntry> read(Collection<TopicPartition> partitions) throws IOException {
            trouble.before();
            return books.read(partitions);
        }

        @Override
        public int raise(Collection<Move> moves) throws IOException {
            trouble.before();
            int raised = books.raise(moves);
            trouble.after();
            return raised;
        }
    }

    private interface Question {
        void ask() throws IOException, FencedException;
    }

    private void ask(Question question) throws WriteException {
        try {
            question.ask();
        } catch (IOException | FencedException e) {
            throw WriteException.ofOffsets(Failure.TRANSIENT, e.getMessage(), e);
        }
    }

    @Override
    public void claim(Collection<Progress> partitions) throws WriteException {
        ask(() -> held.claim(books, partitions));
    }

    @Override
    public void store(Map<Progress, Long> nextOffsets) throws WriteException {
        ask(() -> held.store(books, nextOffsets));
    }

    @Override
    public void verify() throws WriteException {
        if (!held.isEmpty()) {
            ask(() -> held.verify(books));
        }
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
