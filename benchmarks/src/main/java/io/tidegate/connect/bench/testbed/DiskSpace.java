package io.tidegate.connect.bench.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Explains failures on a full disk, because the servers' own messages are often misleading then. */
public final class DiskSpace {
    /** Servers stop writing before the disk is completely full. */
    private static final long LITTLE_BYTES = 256L << 20;

    private DiskSpace() {}

    /** A sentence to append to an error message if the disk is full; otherwise empty. */
    public static String remark() {
        return remark(Path.of(System.getProperty("java.io.tmpdir")), LITTLE_BYTES);
    }

    static String remark(Path folder, long littleBytes) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            return free < littleBytes
                    ? ". The disk is full: " + (free >> 20) + " MB are left in " + folder
                            + ", where the servers keep their data. Use fewer or smaller records, or another folder: "
                            + "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR"
                    : "";
        } catch (IOException e) {
            return "";
        }
    }
}
