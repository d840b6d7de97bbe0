package io.tidegate.connect.quickstart.view;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Redraws the same lines in place with ANSI escape sequences. */
public final class TerminalView implements View {
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final int DEFAULT_COLUMNS = 80;
    private static final String ESCAPE = "\u001b[";
    private static final String CLEAR_TO_END_OF_LINE = ESCAPE + "K";

    private final PrintStream out;
    private final int columns;
    private int drawn;

    /** @param columns 0 if the terminal does not know its width, as in some containers */
    public TerminalView(PrintStream out, int columns) {
        this.out = out;
        this.columns = columns > 0 ? columns : DEFAULT_COLUMNS;
    }

    @Override
    public void show(Snapshot snapshot) {
        List<String> lines = Frame.lines(snapshot, columns - 1);
        StringBuilder frame = new StringBuilder();
        if (drawn > 0) {
            frame.append(ESCAPE).append(drawn).append('A');
        }
        for (String line : lines) {
            // A wrapped line would make the count of lines to go up wrong.
            frame.append(line, 0, Math.min(line.length(), columns - 1))
                    .append(CLEAR_TO_END_OF_LINE)
                    .append('\n');
        }
        drawn = lines.size();
        out.print(frame);
        out.flush();
    }

    @Override
    public Duration interval() {
        return INTERVAL;
    }

    @Override
    public void say(String line) {
        drawn = 0;
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
