package io.tidegate.connect.bench.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log of a server whose lines begin with a time to the millisecond, as those of PostgreSQL, Log4j and the JVM do.
 *
 * @param zone the zone of its times
 */
public record ServerLog(String server, Path file, ZoneId zone) {
    private static final Pattern LINE =
            Pattern.compile("\\[?(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)[.,](\\d{3})(?:[+-]\\d{4})?]? *(.*)");

    /**
     * A line without its time.
     *
     * @param micros the time in microseconds since 1970
     */
    public record Line(String server, long micros, String text) {}

    /** All lines with a time. The lines of a stack trace have none. */
    public List<Line> lines() throws ToolException {
        List<Line> lines = new ArrayList<>();
        try {
            for (String line : new String(Files.readAllBytes(file), UTF_8).split("\\R", -1)) {
                Matcher matcher = LINE.matcher(line);
                if (matcher.matches()) {
                    String time = matcher.group(1) + "T" + matcher.group(2) + "." + matcher.group(3);
                    Instant at = LocalDateTime.parse(time).atZone(zone).toInstant();
                    lines.add(new Line(server, ChronoUnit.MICROS.between(Instant.EPOCH, at), matcher.group(4)));
                }
            }
            return lines;
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
