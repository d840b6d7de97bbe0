package io.tidegate.connect.check.draw;

/** Gives each case of a run a seed. */
public final class Seeds {
    private static final long MOST = 1_000_000_000_000L;

    private Seeds() {}

    /** The seed of the case with this number, a positive number that a person can copy. */
    public static long of(long run, int number) {
        long mixed = (run * 0x9E3779B97F4A7C15L + number) * 0xBF58476D1CE4E5B9L;
        return Math.floorMod(mixed ^ (mixed >>> 31), MOST);
    }
}
