package io.tidegate.connect.bench.testbed;

import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Copies the log of a worker whose run failed, and a dump of its threads, to the result folder. */
public record FailureDiagnostics(Path folder) {
    public void keep(String name, WorkerGroup group) throws ToolException {
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve(name + "-threads.txt"), group.metrics().threads());
            for (int i = 0; i < group.members().size(); i++) {
                Files.copy(
                        group.members().get(i).log(),
                        folder.resolve(name + "-worker" + (i == 0 ? "" : "-" + (i + 1)) + ".log"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new ToolException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }
}
