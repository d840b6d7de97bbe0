package io.tidegate.connect.tools.output;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * A line that says how far long work is and how long the rest will take. Only on a terminal, and never where the results
 * go. One thread uses it.
 */
public final class Progress implements AutoCloseable {
    private static final long INTERVAL_NANOS = Duration.ofMillis(250).toNanos();
    private static final long FIRST_ESTIMATE_NANOS = Duration.ofSeconds(1).toNanos();

    private final PrintStream terminal;
    private final boolean isShown;
    private final LongSupplier nanoTime;
    private final String what;
    private final long total;
    private final long begun;
    private long done;
    private long shownAt;
    private int width;

    Progress(PrintStream terminal, boolean isShown, LongSupplier nanoTime, String what, long total) {
        this.terminal = requireNonNull(terminal, "terminal");
        this.isShown = isShown;
        this.nanoTime = requireNonNull(nanoTime, "nanoTime");
        this.what = requireNonNull(what, "what");
        this.total = total;
        this.begun = nanoTime.getAsLong();
        this.shownAt = begun;
    }

    /**
     * Begins.
     *
     * @param what is done, such as "reading records"
     * @param total how many steps this is, as far as known
     */
    public static Progress of(String what, long total) {
        return new Progress(System.err, Terminal.isPresent(), System::nanoTime, what, total);
    }

    /** So many more steps are done. */
    public void add(long steps) {
        done += steps;
        long now = nanoTime.getAsLong();
        if (isShown && now - shownAt >= INTERVAL_NANOS) {
            shownAt = now;
            show(line(now - begun));
        }
    }

    private String line(long nanos) {
        String counted = total > 0
                ? String.format(
                        Locale.ROOT, "%s: %,d of %,d (%d %%)", what, done, total, 100 * Math.min(done, total) / total)
                : String.format(Locale.ROOT, "%s: %,d", what, done);
        if (nanos < FIRST_ESTIMATE_NANOS || done == 0 || done >= total) {
            return counted;
        }
        long seconds = Math.round((double) nanos / done * (total - done) / 1e9);
        return counted + String.format(Locale.ROOT, ", about %d:%02d left", seconds / 60, seconds % 60);
    }

    private void show(String line) {
        terminal.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
        terminal.flush();
        width = line.length();
    }

    /** Clears the line. */
    @Override
    public void close() {
        if (width > 0) {
            terminal.print("\r" + " ".repeat(width) + "\r");
            terminal.flush();
        }
    }
}
