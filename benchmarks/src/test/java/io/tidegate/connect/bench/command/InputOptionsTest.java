package io.tidegate.connect.bench.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.bench.records.SizedRecords;
import io.tidegate.connect.lab.tides.TideSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class InputOptionsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @Command
    private static final class Line {
        @Mixin
        private InputOptions input = new InputOptions();
    }

    private static InputOptions input(String... args) {
        Line line = new Line();
        new CommandLine(line).parseArgs(args);
        return line.input;
    }

    private static List<String> values(InputOptions input, long limit) throws Exception {
        List<String> values = new ArrayList<>();
        input.source(ROOT).stream(
                limit, (key, value) -> values.add(new String(key, UTF_8) + " " + new String(value, UTF_8)));
        return values;
    }

    @Test
    void readsNoaasReadingsAgainWhenMoreAreWanted() throws Exception {
        List<String> values = values(input(), 800);

        assertThat(values).hasSize(800);
        assertThat(values.get(0)).startsWith("9447130 {\"station\":\"9447130\"").isEqualTo(values.get(361));
        assertThat(values.stream().mapToInt(String::length).average().orElse(0)).isBetween(205.0, 220.0);
    }

    @Test
    void fillsValuesUpToTheSizeAskedFor() throws Exception {
        for (int size : new int[] {SizedRecords.SMALLEST, 100, 203, 512, 4096, 1 << 20}) {
            TideSource source = input("--record-bytes", Integer.toString(size)).source(ROOT);
            source.stream(3, (key, value) -> {
                assertThat(value).hasSize(size);
                assertThat(parsed(value).isObject()).isTrue();
            });
        }
    }

    private static JsonNode parsed(byte[] json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (java.io.IOException e) {
            throw new AssertionError(new String(json, UTF_8), e);
        }
    }

    @Test
    void givesEachRecordAKeyOfItsOwn() throws Exception {
        assertThat(values(input("--keys", "rising"), 3))
                .extracting(text -> text.split(" ", 2)[0])
                .containsExactly("0", "1", "2");
    }

    @Test
    void takesAllOfAFileUnlessToldHowMany(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("two.jsonl"), "{\"a\":1}\n{\"a\":2}\n");

        assertThat(values(
                        input("--input", file.toString()),
                        input("--input", file.toString()).limit()))
                .hasSize(2);
        InputOptions five = input("--input", file.toString(), "--records", "5");
        assertThat(values(five, five.limit())).hasSize(5);
    }

    @Test
    void refusesSizesThatNoJsonCanHave() {
        assertThat(input("--record-bytes", "10").problem()).contains("--record-bytes must be 32 to 8388608");
        assertThat(input("--records", "0").problem()).contains("--records must be at least 1");
        assertThat(input().problem()).isEmpty();
    }
}
