package io.tidegate.connect.quickstart.view;

import java.time.Duration;

/** Shows the progress to the user. Used by the main thread only, except for {@link #say}. */
public interface View {
    void show(Snapshot snapshot);

    /** The interval between two snapshots. */
    Duration interval();

    /** Prints a permanent line. Any thread may call it before the first snapshot is shown. */
    void say(String line);
}
