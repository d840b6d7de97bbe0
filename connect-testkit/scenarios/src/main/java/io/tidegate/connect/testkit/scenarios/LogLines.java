package io.tidegate.connect.testkit.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Compares what all modules log above DEBUG with the page that explains it, {@code docs/reference/log-lines.md}. */
public final class LogLines {
    private static final Pattern CALL = Pattern.compile("\\blog\\.(?:info|warn|error)\\(");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    /** The first argument: literals and nothing else. */
    private static final Pattern MESSAGE =
            Pattern.compile(CALL + "\\s*(" + LITERAL + "(?:\\s*\\+\\s*" + LITERAL + ")*)\\s*[,)]");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    /** How the page writes something that differs from line to line. */
    private static final Pattern VARIABLE = Pattern.compile("\\.\\.\\.|\\b[A-Z]\\b");

    private LogLines() {}

    /**
     * Fails if a line is not explained, or if a line is explained that no module logs.
     *
     * @param project the folder of the checkout
     */
    public static void check(Path project) throws IOException {
        List<Pattern> explained = explained(project.resolve("docs/reference/log-lines.md"));
        List<String> messages = messages(project);

        assertThat(messages).hasSizeGreaterThan(20);
        assertThat(messages)
                .filteredOn(message -> explained.stream()
                        .noneMatch(line -> line.matcher(message).find()))
                .as("lines that docs/reference/log-lines.md does not explain")
                .isEmpty();
        assertThat(explained)
                .filteredOn(line -> messages.stream()
                        .noneMatch(message -> line.matcher(message).find()))
                .as("lines of docs/reference/log-lines.md that no module logs")
                .isEmpty();
    }

    private static List<String> messages(Path project) throws IOException {
        List<String> messages = new ArrayList<>();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(project, "connect-*")) {
            for (Path module : modules) {
                for (Path file : sources(module.resolve("src/main/java"))) {
                    messages.addAll(messagesOf(file));
                }
            }
        }
        return messages;
    }

    private static List<Path> sources(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static List<String> messagesOf(Path file) throws IOException {
        String source = Files.readString(file);
        List<String> messages = MESSAGE.matcher(source)
                .results()
                .map(call -> joined(call.group(1)))
                .toList();
        assertThat(messages).as("messages of " + file).hasSize((int)
                CALL.matcher(source).results().count());
        return messages;
    }

    private static String joined(String literals) {
        StringBuilder text = new StringBuilder();
        LITERAL.matcher(literals).results().map(literal -> literal.group(1)).forEach(text::append);
        return text.toString();
    }

    /** The lines in the first column of the page's table, as patterns that their fixed parts make. */
    private static List<Pattern> explained(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf(" |", 2)))
                .flatMap(cell -> CODE.matcher(cell).results())
                .map(LogLines::pattern)
                .toList();
    }

    private static Pattern pattern(MatchResult code) {
        return Pattern.compile(String.join(
                ".*",
                VARIABLE.splitAsStream(code.group(1))
                        .map(String::strip)
                        .filter(fixed -> !fixed.isEmpty())
                        .map(Pattern::quote)
                        .toList()));
    }
}
