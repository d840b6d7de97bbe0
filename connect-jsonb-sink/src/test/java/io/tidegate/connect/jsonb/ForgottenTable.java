package io.tidegate.connect.jsonb;

import io.tidegate.connect.jsonb.ForgetfulServerIT.Round;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The lines of docs/explanation/reliability.md about servers that come back older. Each round lost and doubled nothing. */
final class ForgottenTable {
    private static final Path PAGE = Path.of("..", "docs", "explanation", "reliability.md");

    private ForgottenTable() {}

    /** Replaces the line that begins with the name; a round that lost or doubled a record has failed its test before. */
    static void write(String name, List<Round> rounds) throws IOException {
        String line = String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d (%d-%d) | 0 | 0 | 0 | %.1f (%.1f-%.1f) |",
                name.replace('_', ' '),
                rounds.size(),
                at(0.5, rounds.stream().map(Round::sent)),
                forgotten(rounds, 0.5),
                forgotten(rounds, 0),
                forgotten(rounds, 1),
                seconds(rounds, 0.5),
                seconds(rounds, 0),
                seconds(rounds, 1));
        String page = Files.readString(PAGE);
        Matcher old = Pattern.compile("(?m)^\\| " + name.replace('_', ' ') + " \\|.*$")
                .matcher(page);
        if (!old.find()) {
            throw new IOException("no line for " + name + " in " + PAGE);
        }
        Files.writeString(PAGE, old.replaceFirst(Matcher.quoteReplacement(line)));
    }

    private static long forgotten(List<Round> rounds, double quantile) {
        return at(quantile, rounds.stream().map(Round::forgotten));
    }

    private static double seconds(List<Round> rounds, double quantile) {
        return at(quantile, rounds.stream().map(Round::seconds));
    }

    private static <T> T at(double quantile, Stream<T> values) {
        List<T> sorted = values.sorted().toList();
        return sorted.get((int) Math.round((sorted.size() - 1) * quantile));
    }
}
