package io.tidegate.connect.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PostgresTemplateIT {
    @TempDir
    private Path temporary;

    @Test
    void isMadeOnceAndItsPasswordIsTheOwners() throws IOException {
        Path folder = temporary.resolve("templates");
        PostgresUser.current().openFolder(temporary);
        PostgresTemplate first = new PostgresTemplate(folder);
        PostgresTemplate second = new PostgresTemplate(folder);
        Path log = temporary.resolve("initdb.log");

        Path data = first.data(PostgresBinaries.ordinary(), "postgres", log);
        assertThat(log).isNotEmptyFile();
        Files.delete(log);

        assertThat(second.data(PostgresBinaries.ordinary(), "postgres", log)).isEqualTo(data);
        assertThat(log).doesNotExist();
        assertThat(second.password()).isEqualTo(first.password()).hasSize(24);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("password"))))
                .isEqualTo("rw-------");
        assertThat(data.resolve("PG_VERSION")).exists();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(data, folder.resolve("password"));
        }
        assertThat(second.data(PostgresBinaries.ordinary(), "another", log)).isNotEqualTo(data);
    }
}
