package io.tidegate.connect.bench.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskSpaceTest {
    @TempDir
    private Path folder;

    @Test
    void saysWhereThereIsNoRoomAndWhatToDo() {
        assertThat(DiskSpace.remark(folder, Long.MAX_VALUE))
                .startsWith(". The disk is full: ")
                .contains(" MB are left in " + folder + ", where the servers keep their data.")
                .endsWith("JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR");
    }

    @Test
    void saysNothingWhileThereIsRoom() {
        assertThat(DiskSpace.remark(folder, 0)).isEmpty();
    }

    @Test
    void saysNothingOfAFolderThatIsGone() {
        assertThat(DiskSpace.remark(folder.resolve("gone"), Long.MAX_VALUE)).isEmpty();
    }
}
