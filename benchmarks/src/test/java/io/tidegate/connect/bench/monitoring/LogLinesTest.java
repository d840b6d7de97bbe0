package io.tidegate.connect.bench.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sinks log above DEBUG, and what docs/reference/log-lines.md says about it. */
final class LogLinesTest {
    private static final Path PROJECT = Path.of("..");
    private static final List<String> MODULES =
            List.of("connect-common", "connect-avro", "connect-jsonb-sink", "connect-es-bulk-sink");

    private static final Pattern CALL = Pattern.compile("\\blog\\.(?:info|warn|error)\\(");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    /** The first argument: literals and nothing else. */
    private static final Pattern MESSAGE =
            Pattern.compile(CALL + "\\s*(" + LITERAL + "(?:\\s*\\+\\s*" + LITERAL + ")*)\\s*[,)]");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    /** How the page writes something that differs from line to line. */
    private static final Pattern VARIABLE = Pattern.compile("\\.\\.\\.|\\b[A-Z]\\b");

    @Test
    void everyLineIsExplained() throws IOException {
        List<Pattern> explained = explained();

        assertThat(messages()).hasSizeGreaterThan(20).allSatisfy(message -> assertThat(explained)
                .anyMatch(line -> line.matcher(message).find()));
    }

    @Test
    void noLineIsExplainedThatNobodyLogs() throws IOException {
        List<String> messages = messages();

        assertThat(explained()).allSatisfy(line -> assertThat(messages)
                .anyMatch(message -> line.matcher(message).find()));
    }

    private static List<String> messages() throws IOException {
        List<String> messages = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(PROJECT.resolve(module).resolve("src/main/java"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    messages.addAll(messages(file));
                }
            }
        }
        return messages;
    }

    private static List<String> messages(Path file) throws IOException {
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
    private static List<Pattern> explained() throws IOException {
        return Files.readAllLines(PROJECT.resolve("docs/reference/log-lines.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf(" |", 2)))
                .flatMap(cell -> CODE.matcher(cell).results())
                .map(LogLinesTest::pattern)
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
