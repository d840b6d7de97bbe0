package io.tidegate.connect.testkit.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The log of a server, read from its latest start on. */
public final class ServerLog {
    private static final int TAIL_LINES = 40;
    private static final int MOST_BYTES = 1 << 20;
    private static final Pattern LOST_BIND =
            Pattern.compile("(?i)address already in use|BindException|could not bind|failed to bind");

    private final Path file;
    private long latestStart;

    /** @param file the file that the server writes to */
    public ServerLog(Path file) {
        this.file = file;
    }

    public Path file() {
        return file;
    }

    /** Marks the start: the present content of the file belongs to earlier starts. */
    public void markStart() {
        try {
            latestStart = Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the log says that another process has taken the port. */
    boolean saysThatPortIsTaken() {
        return LOST_BIND.matcher(latest()).find();
    }

    /** The last lines since the latest start. */
    public String tail() {
        List<String> lines = latest().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    private String latest() {
        if (!Files.exists(file)) {
            return "";
        }
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(Math.max(latestStart, Files.size(file) - MOST_BYTES));
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(the log cannot be read: " + e + ")";
        }
    }
}
