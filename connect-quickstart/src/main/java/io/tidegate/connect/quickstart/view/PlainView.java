package io.tidegate.connect.quickstart.view;

import java.io.PrintStream;
import java.time.Duration;

/** Prints a line every two seconds, for output that is not a terminal. */
public final class PlainView implements View {
    private static final Duration INTERVAL = Duration.ofSeconds(2);

    private final PrintStream out;

    public PlainView(PrintStream out) {
        this.out = out;
    }

    @Override
    public void show(Snapshot snapshot) {
        out.println(Frame.line(snapshot));
    }

    @Override
    public Duration interval() {
        return INTERVAL;
    }

    @Override
    public void say(String line) {
        out.println(line);
    }

    @Override
    public void sayInPrivate(String line) {
        say(line);
    }

    @Override
    public void enter(Phase phase) {
        // The lines show it.
    }

    @Override
    public boolean showsDetails() {
        return false;
    }
}
