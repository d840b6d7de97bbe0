package io.tidegate.connect.bench.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.bench.connector.ConnectorSpec;
import io.tidegate.connect.bench.store.MeasuredStore;
import io.tidegate.connect.bench.store.RawWriter;
import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.bench.testbed.Topic;
import io.tidegate.connect.lab.store.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class RawCandidateTest {
    /** A client whose memory does not suffice. */
    private record Greedy() implements RawWriter {
        @Override
        public String label() {
            return "greedy";
        }

        @Override
        public int batch() {
            return 1;
        }

        @Override
        public Session open() {
            return new Session() {
                @Override
                public void write(long from, int rows) {
                    throw new OutOfMemoryError("Java heap space");
                }

                @Override
                public void close() {
                    // It has no connection.
                }
            };
        }
    }

    /** Otherwise the run would wait a minute and report only that nothing was stored. */
    @Test
    void reportsAnErrorOfTheClient() {
        ConnectorSpec spec =
                new ConnectorSpec("x", Optional.empty(), List.of(), Map.of("topics", "x"), Table.PLAIN, "");
        RawCandidate candidate = new RawCandidate(
                new Candidates(null, new Topic("x", 1, 10, 10), null),
                new MeasuredStore(StoreKind.POSTGRESQL, null, null),
                spec,
                new Greedy(),
                1);
        AtomicReference<String> failure = new AtomicReference<>("");

        candidate.write(new AtomicLong(), new AtomicLong(), failure);

        assertThat(failure).hasValue("java.lang.OutOfMemoryError: Java heap space");
    }
}
