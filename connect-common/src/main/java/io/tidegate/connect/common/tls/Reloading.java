package io.tidegate.connect.common.tls;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was made of files, made anew when one of them has changed. When that fails the last good one stays in use, and the
 * log says so once for each change. Any thread.
 */
final class Reloading<T> implements Supplier<T> {
    private static final Logger log = LoggerFactory.getLogger(Reloading.class);

    private final List<Path> files;
    private final Supplier<T> loader;
    private List<Stamp> stamps; // guarded by this
    private T loaded; // guarded by this

    private record Stamp(long modifiedMs, long bytes) {
        static final Stamp MISSING = new Stamp(-1, -1);
    }

    /**
     * Loads for the first time.
     *
     * @param loader throws {@link RuntimeException} with what is wrong with the files
     */
    Reloading(List<Path> files, Supplier<T> loader) {
        this.files = List.copyOf(files);
        this.loader = requireNonNull(loader, "loader");
        this.stamps = stamps();
        this.loaded = loader.get();
    }

    @Override
    public synchronized T get() {
        List<Stamp> now = stamps();
        if (!now.equals(stamps)) {
            stamps = now;
            reload();
        }
        return loaded;
    }

    private void reload() {
        try {
            loaded = loader.get();
            log.info("Read {} again, as it has changed", files);
        } catch (RuntimeException e) {
            log.warn("{} has changed and cannot be used; what it held before stays in use: {}", files, e.getMessage());
        }
    }

    private List<Stamp> stamps() {
        return files.stream().map(Reloading::stamp).toList();
    }

    private static Stamp stamp(Path file) {
        try {
            FileTime modified = Files.getLastModifiedTime(file);
            return new Stamp(modified.toMillis(), Files.size(file));
        } catch (IOException e) {
            return Stamp.MISSING;
        }
    }
}
