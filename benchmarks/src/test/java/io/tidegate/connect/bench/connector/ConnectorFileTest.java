package io.tidegate.connect.bench.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.bench.store.StoreKind;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConnectorFileTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @TempDir
    private Path folder;

    private Path file(String json) throws Exception {
        return Files.writeString(folder.resolve("mine.json"), json);
    }

    @Test
    void readsEveryFileThatIsShipped() throws Exception {
        try (Stream<Path> sinks = Files.list(Path.of("sinks"));
                Stream<Path> peers = Files.list(Path.of("peers"))) {
            for (Path file : Stream.concat(sinks, peers).toList()) {
                ConnectorSpec subject = ConnectorFile.read(file, ROOT);

                assertThat(subject.store()).as("%s", file).isNotEqualTo(StoreKind.NONE);
                assertThat(subject.plugin().isPresent() || !subject.maven().isEmpty())
                        .as("%s says where its plugin is", file)
                        .isTrue();
                assertThat(file).hasFileName(subject.name() + ".json");
            }
        }
    }

    @Test
    void takesAConnectorsJsonAsItIsPosted() throws Exception {
        ConnectorSpec subject = ConnectorFile.read(
                file("{\"name\":\"x\",\"config\":{\"connector.class\":\"C\",\"a\":\"${env:TIDEGATE_POSTGRES_URL}\"}}"),
                ROOT);

        assertThat(subject.name()).isEqualTo("x");
        assertThat(subject.store()).isEqualTo(StoreKind.POSTGRESQL);
        assertThat(subject.plugin()).isEqualTo(Optional.empty());
        assertThat(subject.table()).isEqualTo(Table.PLAIN);
    }

    @Test
    void takesFromAnotherFileWhatItDoesNotSay() throws Exception {
        Files.writeString(
                folder.resolve("base.json"),
                "{\"name\":\"base\",\"plugin\":\"p\",\"index\":{\"a\":1},\"config\":{\"connector.class\":\"C\",\"a\":\"1\",\"b\":\"2\"}}");

        ConnectorSpec subject = ConnectorFile.read(
                file("{\"like\":\"base\",\"config\":{\"a\":null,\"b\":\"${env:TIDEGATE_ELASTICSEARCH_HTTP_URL}\"}}"),
                ROOT);

        assertThat(subject.name()).isEqualTo("mine");
        assertThat(subject.plugin()).contains(ROOT.resolve("p"));
        assertThat(subject.indexDefinition()).isEqualTo("{\"a\":1}");
        assertThat(subject.config()).containsOnlyKeys("connector.class", "b");
        assertThat(subject.store()).isEqualTo(StoreKind.ELASTICSEARCH_HTTP);
    }

    @Test
    void saysWhatIsWrongWithAFile() throws Exception {
        assertThatThrownBy(() -> ConnectorFile.read(file("{\"name\":"), ROOT))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("mine.json: is not JSON: ");
        assertThatThrownBy(() -> ConnectorFile.read(file("{\"config\":{}}"), ROOT))
                .hasMessageEndingWith("mine.json: has no config with a connector.class");
        assertThatThrownBy(() -> ConnectorFile.read(file("{\"confg\":{}}"), ROOT))
                .hasMessageEndingWith("mine.json: has the unknown field \"confg\"");
        assertThatThrownBy(() -> ConnectorFile.read(folder.resolve("none.json"), ROOT))
                .hasMessageStartingWith("cannot read ");
    }

    @Test
    void takesSettingsOfTheIndexOutOfTheConfiguration() throws Exception {
        ConnectorSpec subject = ConnectorFile.read(
                file("{\"index\":{\"settings\":{\"a\":1}},\"config\":{\"connector.class\":\"C\"}}"), ROOT);

        ConnectorSpec changed = new Variants(List.of(), List.of("index.settings.mode=logsdb"))
                .of(subject)
                .get(0);

        assertThat(changed.indexDefinition()).isEqualTo("{\"settings\":{\"a\":1,\"mode\":\"logsdb\"}}");
        assertThat(changed.indexSettings()).isEqualTo(" index.settings.mode=logsdb");
        assertThat(changed.entrant("t", 1).config()).doesNotContainKey("index.settings.mode");
    }

    @Test
    void makesASubjectOfEachCombination() throws Exception {
        ConnectorSpec subject = ConnectorFile.read(file("{\"config\":{\"connector.class\":\"C\",\"a\":\"1\"}}"), ROOT);

        List<ConnectorSpec> variants = new Variants(List.of("z=9"), List.of("a=2,3", "b=x")).of(subject);

        assertThat(variants).extracting(ConnectorSpec::name).containsExactly("mine z=9 a=2 b=x", "mine z=9 a=3 b=x");
        assertThat(variants.get(1).config()).isEqualTo(Map.of("connector.class", "C", "a", "3", "b", "x", "z", "9"));
        assertThatThrownBy(() -> new Variants(List.of(), List.of("=1")).of(subject))
                .hasMessage("--vary takes KEY=VALUE, not =1");
    }
}
