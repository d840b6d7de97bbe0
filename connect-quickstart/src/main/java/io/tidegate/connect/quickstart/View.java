package io.tidegate.connect.quickstart;

import java.time.Duration;

/** Shows the user how far things are; the main thread only, except for {@link #say}. */
interface View {
    void show(Snapshot snapshot);

    /** How often to show a new state. */
    Duration interval();

    /** Something that stays. Any thread, while nothing is being shown. */
    void say(String line);
}
