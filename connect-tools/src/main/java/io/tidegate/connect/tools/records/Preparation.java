package io.tidegate.connect.tools.records;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.common.document.DocumentMapper;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;

/**
 * Fetches what a mapper needs to read records, such as their schemas. A task tries again without end. A command gives up,
 * but not before the decoder stops waiting for a schema that the registry does not have. One thread uses it.
 */
public final class Preparation {
    private static final int MAX_ATTEMPTS = 15;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Consumer<Collection<SinkRecord>> mapper;
    private final Duration pause;

    /** Prepares a mapper. */
    public Preparation(DocumentMapper mapper) {
        this(mapper::prepare, PAUSE);
    }

    Preparation(Consumer<Collection<SinkRecord>> mapper, Duration pause) {
        this.mapper = requireNonNull(mapper, "mapper");
        this.pause = requireNonNull(pause, "pause");
    }

    /**
     * Prepares the mapper for these records.
     *
     * @throws ToolException when something cannot be fetched
     */
    public void prepare(Collection<SinkRecord> records) throws ToolException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                mapper.accept(records);
                return;
            } catch (RetriableException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw new ToolException("what the records need cannot be fetched: " + e.getMessage(), e);
                }
            }
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        }
    }
}
