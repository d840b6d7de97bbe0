package io.tidegate.connect.check.draw;

import java.util.List;
import java.util.Random;

/** Random choices from one seed. Used by one thread. */
public final class Draw {
    private final Random random;

    public Draw(long seed) {
        // Seeds that follow each other give first numbers that are alike.
        random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    /** Whether something with this probability comes true. */
    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** A number from both bounds and between them. */
    public int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    public long number() {
        return random.nextLong();
    }

    public <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    @SafeVarargs
    public final <T> T pick(T... values) {
        return values[random.nextInt(values.length)];
    }
}
