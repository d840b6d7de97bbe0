package io.tidegate.connect.bench.records;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import java.math.BigInteger;

/**
 * The values of a source, each with another key: the numbers below the limit, rising or scattered.
 *
 * @param scattered whether neighbours in the stream are far apart, as random keys are; the keys are the same
 */
public record UniqueKeys(TideSource source, boolean scattered) implements TideSource {
    private static final double GOLDEN_SECTION = 0.618;

    @Override
    public long stream(long limit, Receiver receiver) throws ToolException, InterruptedException {
        long step = scattered ? step(limit) : 1;
        long[] sent = {0};
        return source.stream(
                limit,
                (key, value) -> receiver.accept(
                        Long.toString(scattered ? sent[0]++ * step % limit : sent[0]++)
                                .getBytes(UTF_8),
                        value));
    }

    /** Its multiples reach every number below the limit once. */
    private static long step(long limit) {
        BigInteger all = BigInteger.valueOf(limit);
        BigInteger step = BigInteger.valueOf(Math.max(1, (long) (limit * GOLDEN_SECTION)));
        while (!step.gcd(all).equals(BigInteger.ONE)) {
            step = step.add(BigInteger.ONE);
        }
        return step.longValue();
    }
}
