package io.tidegate.connect.bench.records;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;

/** Repeats a source until there are as many records as requested. */
public record RepeatedSource(TideSource source) implements TideSource {
    @Override
    public long stream(long limit, Receiver receiver) throws ToolException, InterruptedException {
        long sent = 0;
        while (sent < limit) {
            long more = source.stream(limit - sent, receiver);
            if (more == 0) {
                return sent;
            }
            sent += more;
        }
        return sent;
    }
}
