package io.tidegate.connect.bench.sink;

import io.tidegate.connect.tools.ToolException;
import io.tidegate.connect.tools.tides.TideSource;

/** A source from its beginning again and again, for as many records as are wanted. */
record Repeated(TideSource source) implements TideSource {
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
