package io.tidegate.connect.elasticsearch;

import io.tidegate.connect.common.delivery.LaneOverrides;
import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.ServerOffsets;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import java.util.List;
import java.util.Optional;

/** A target's writer, with what the delivery of a lane makes of each attempt: overrides, and what is to be written again. */
public final class DeliveredWriter implements BatchWriter {
    private final BatchWriter writer;
    private final LaneOverrides overrides;

    public DeliveredWriter(Target target) {
        this.writer = target.openWriter(0);
        this.overrides = new LaneOverrides(target.errorOverrides(), Clock.SYSTEM);
    }

    @Override
    public List<Refusal> write(List<Document> documents) throws WriteException {
        List<Refusal> named;
        try {
            named = overrides.applied(writer.write(documents));
        } catch (WriteException e) {
            throw overrides.applied(e).named(documents);
        }
        if (named.stream().allMatch(Refusal::isFinal)) {
            return named;
        }
        throw WriteException.ofNamed(documents, named);
    }

    @Override
    public long kept() {
        return writer.kept();
    }

    @Override
    public Optional<ServerOffsets> offsets() {
        return writer.offsets();
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
