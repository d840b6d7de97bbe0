package io.tidegate.connect.common.task;

import java.util.ArrayDeque;
import java.util.Deque;

/** What happened in a schedule, in words, for whoever reads a failure. Any thread; the last {@value #MOST} lines are kept. */
public final class Journal {
    private static final int MOST = 400;

    private final Deque<String> lines = new ArrayDeque<>(); // guarded by this
    private long dropped; // guarded by this

    /** Adds a line. */
    public synchronized void add(String line) {
        lines.add(line);
        if (lines.size() > MOST) {
            String unused = lines.remove();
            dropped++;
        }
    }

    @Override
    public synchronized String toString() {
        String missing = dropped == 0 ? "" : "  (" + dropped + " earlier lines are left out)\n";
        return missing + "  " + String.join("\n  ", lines);
    }
}
