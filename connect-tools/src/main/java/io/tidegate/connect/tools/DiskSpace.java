package io.tidegate.connect.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Servers keep their data in the folder of temporary files; when that is full, what they say of it may be far from the point. */
public final class DiskSpace {
    /** Servers stop to write before the last byte is gone. */
    private static final long LITTLE_BYTES = 256L << 20;

    private DiskSpace() {}

    /** What to add to a failure: that the disk is full, and what to do, or nothing. */
    public static String remark() {
        return remark(Path.of(System.getProperty("java.io.tmpdir")), LITTLE_BYTES);
    }

    static String remark(Path folder, long littleBytes) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            return free < littleBytes
                    ? ". The disk is full: " + (free >> 20) + " MB are left in " + folder
                            + ", where the servers keep their"
                            + " data. Take fewer or smaller records, or another folder:"
                            + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=DIR"
                    : "";
        } catch (IOException e) {
            return "";
        }
    }
}
