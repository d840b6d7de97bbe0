package io.tidegate.connect.testkit.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.ServerLog;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Copies a container's output to a file while the container runs. A thread of the Docker client writes it. */
final class ContainerLog implements AutoCloseable {
    private static final int COPY_TIMEOUT_S = 5;

    private final Path folder;
    private final ServerLog log;
    private final OutputStream out;
    private Instant latestStart = Instant.EPOCH;
    private Optional<Copy> copy = Optional.empty();

    ContainerLog(String kind) {
        folder = Folders.temporary(kind);
        log = new ServerLog(Folders.logFile(folder));
        try {
            out = Files.newOutputStream(log.file(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file() {
        return log.file();
    }

    /** The end of the log of a container that has ended or hangs. Waits for output that is not copied yet. */
    String tail() {
        try {
            if (copy.isPresent()) {
                copy.get().awaitCompletion(COPY_TIMEOUT_S, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return log.tail();
    }

    void markStart() {
        log.markStart();
        latestStart = Instant.now();
    }

    /** Copies the output since the latest start, to the second. A line of the previous start can appear twice. */
    void follow(DockerClient client, String containerId) {
        Copy started = new Copy();
        client.logContainerCmd(containerId)
                .withStdOut(true)
                .withStdErr(true)
                .withFollowStream(true)
                .withSince((int) latestStart.getEpochSecond())
                .exec(started);
        copy = Optional.of(started);
    }

    @Override
    public void close() throws IOException {
        if (copy.isPresent()) {
            copy.get().close();
        }
        out.close();
        Folders.delete(folder);
    }

    private final class Copy extends ResultCallback.Adapter<Frame> {
        @Override
        public void onNext(Frame frame) {
            try {
                out.write(frame.getPayload());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
