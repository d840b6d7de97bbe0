package io.tidegate.connect.quickstart.view;

import io.tidegate.connect.quickstart.view.Snapshot.SinkState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Formats a snapshot as text: several lines for a terminal, one line for a log. */
final class Frame {
    private static final int BAR = 24;
    private static final int SHORTEST_BAR = 4;

    private Frame() {}

    /** Lines that are at most as wide as this, if a shorter bar is enough for that. */
    static List<String> lines(Snapshot snapshot, int width) {
        List<String> lines = linesOfBar(snapshot, BAR);
        int tooMuch = lines.stream().mapToInt(String::length).max().orElse(0) - width;
        return tooMuch <= 0 ? lines : linesOfBar(snapshot, Math.max(SHORTEST_BAR, BAR - tooMuch));
    }

    private static List<String> linesOfBar(Snapshot snapshot, int length) {
        List<String> lines = new ArrayList<>();
        lines.add(text(
                "  %-9s%,11d  %s  %.1f s",
                "produced",
                snapshot.produced(),
                bar(snapshot.produced(), snapshot.total(), length),
                seconds(snapshot)));
        for (SinkState sink : snapshot.sinks()) {
            lines.add(text(
                    "  %-9s%,11d  %s  %s/s  lag %s  connections %d",
                    sink.sink().label(),
                    sink.stored(),
                    bar(sink.stored(), snapshot.total(), length),
                    known("%,d", sink.rate()),
                    known("%,d", sink.lag()),
                    sink.connections()));
        }
        return lines;
    }

    static String line(Snapshot snapshot) {
        StringBuilder line = new StringBuilder(
                text("%6.1f s  produced %d/%d", seconds(snapshot), snapshot.produced(), snapshot.total()));
        for (SinkState sink : snapshot.sinks()) {
            line.append(text(
                    " | %s stored %d (%s/s) lag %s connections %d",
                    sink.sink().label(),
                    sink.stored(),
                    known("%d", sink.rate()),
                    known("%d", sink.lag()),
                    sink.connections()));
        }
        return line.toString();
    }

    static String bar(long done, long total, int length) {
        long bounded = Math.max(0, Math.min(done, total));
        int filled = (int) (length * bounded / total);
        return "[" + "#".repeat(filled) + ".".repeat(length - filled) + "]" + text(" %3d %%", 100 * bounded / total);
    }

    private static String known(String format, OptionalLong number) {
        return number.isPresent() ? text(format, number.getAsLong()) : "unknown";
    }

    private static double seconds(Snapshot snapshot) {
        return snapshot.elapsed().toNanos() / 1e9;
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
