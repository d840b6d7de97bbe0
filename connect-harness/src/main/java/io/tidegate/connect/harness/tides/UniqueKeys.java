package io.tidegate.connect.harness.tides;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.tools.command.ToolException;

/** The values of a source, each with its number as its key. */
public record UniqueKeys(TideSource source) implements TideSource {
    @Override
    public long stream(long limit, Receiver receiver) throws ToolException, InterruptedException {
        long[] sent = {0};
        return source.stream(
                limit, (key, value) -> receiver.accept(Long.toString(sent[0]++).getBytes(UTF_8), value));
    }
}
