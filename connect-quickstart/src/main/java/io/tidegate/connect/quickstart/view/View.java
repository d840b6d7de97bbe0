package io.tidegate.connect.quickstart.view;

import java.time.Duration;

/** Shows the progress to the user. Used by the main thread only, except for {@link #say}. */
public interface View {
    /** What the pipeline does. */
    enum Phase {
        STARTING,
        STREAMING,
        CHECKING,
        FINISHED,
        FAILED
    }

    void show(Snapshot snapshot);

    /** The interval between two snapshots. */
    Duration interval();

    /** Prints a permanent line. Any thread may call it before the first snapshot is shown. */
    void say(String line);

    /** Prints a permanent line with a password, only where no other user of the machine can read it. */
    void sayInPrivate(String line);

    /** The pipeline does something else from now on. */
    void enter(Phase phase);

    /** Whether this view shows the details in snapshots, and snapshots of changed rows too. */
    boolean showsDetails();
}
