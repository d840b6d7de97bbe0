package io.tidegate.connect.lab.tides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.cli.ToolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JsonLinesTest {
    @TempDir
    private Path folder;

    @Test
    void sendsEachLineAsItStands() throws Exception {
        Collector records = stream("{ \"a\" : 1.10 }\n[1]\n\"Ä\"");

        assertThat(records.values).containsExactly("{ \"a\" : 1.10 }", "[1]", "\"Ä\"");
    }

    @Test
    void skipsBlankLines() throws Exception {
        assertThat(stream("\n{\"a\":1}\n \t\r\n\n{\"a\":2}\n").values).containsExactly("{\"a\":1}", "{\"a\":2}");
    }

    @Test
    void takesTheStationAsKey() throws Exception {
        Collector records =
                stream("{\"station\":\"9447130\"}\n{\"in\":{\"station\":\"no\"}}\n{\"station\":7}\n[\"station\"]");

        assertThat(records.keys).containsExactly("9447130", "", "", "");
    }

    @Test
    void readsNoaaObjectsAsLinesWhenTheFileIsNamedSo() throws Exception {
        String line = "{\"metadata\":{\"id\":\"1\"},\"data\":[]}";
        Path file = Files.writeString(folder.resolve("tides.ndjson"), line + "\n" + line + "\n");

        assertThat(Collector.of(TideSources.files(List.of(file)), 9).values).containsExactly(line, line);
    }

    @Test
    void keepsALineLongerThanItsBufferWhole() throws Exception {
        String line = "\"" + "x".repeat(200_000) + "\"";

        assertThat(stream(line + "\n" + line).values).containsExactly(line, line);
    }

    @Test
    void refusesALineThatNoBrokerTakes() {
        assertThatThrownBy(() -> stream("1\n\"" + "x".repeat(LineReader.MAX_LINE_BYTES) + "\""))
                .isInstanceOf(ToolException.class)
                .hasMessage(path() + ":2: a line is longer than 1000000 bytes");
    }

    @Test
    void namesTheLineThatIsNotJson() {
        assertThatThrownBy(() -> stream("{\"a\":1}\n\n{\"a\":x}"))
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith(path() + ":3:")
                .hasMessageContaining("not JSON: Unrecognized token 'x'");
        assertThatThrownBy(() -> stream("{\"a\":1"))
                .hasMessage(path() + ":1:7: the JSON ends in the middle of a value");
        assertThatThrownBy(() -> stream("1 2")).hasMessage(path() + ":1: more than one JSON value in a line");
    }

    @Test
    void saysThatAFileIsNotThere() {
        assertThatThrownBy(() -> Collector.of(TideSources.files(List.of(folder.resolve("none.json"))), 1))
                .isInstanceOf(ToolException.class)
                .hasMessage(folder.resolve("none.json") + ": no such file");
        assertThatThrownBy(() -> Collector.of(TideSources.files(List.of(folder)), 1))
                .hasMessage(folder + ": is a folder, not a file");
    }

    @Test
    void readsSeveralFilesInTheirOrder() throws Exception {
        Path first = Files.writeString(folder.resolve("first.jsonl"), "1\n2\n");
        Path second = Files.writeString(folder.resolve("second.jsonl"), "3\n4\n");

        assertThat(Collector.of(TideSources.files(List.of(first, second)), 3).values)
                .containsExactly("1", "2", "3");
    }

    private Collector stream(String content) throws Exception {
        return Collector.of(TideSources.files(List.of(Files.writeString(path(), content))), Long.MAX_VALUE);
    }

    private Path path() {
        return folder.resolve("lines.json");
    }
}
