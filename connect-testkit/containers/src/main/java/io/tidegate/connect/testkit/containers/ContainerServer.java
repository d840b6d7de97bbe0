package io.tidegate.connect.testkit.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.Statistics;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.Server;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container. The container is created at the first start, keeps its data and ports through stop and kill,
 * and is removed by close. A subclass says what to run and when the server is ready. One thread starts, stops and
 * closes the server; only that thread writes the fields.
 */
abstract class ContainerServer implements Server {
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(4);
    private static final int STOP_TIMEOUT_S = 30;
    private static final int READABLE = 0644;

    private final ContainerNetwork network;
    private final String alias;
    private final DockerImageName image;
    private final ContainerLog log;
    private volatile Optional<GenericContainer<?>> created = Optional.empty();

    /**
     * @param alias the container's name in the network
     * @param image the official image
     */
    ContainerServer(ContainerNetwork network, String alias, DockerImageName image) {
        this.network = network;
        this.alias = alias;
        this.image = image;
        log = new ContainerLog(alias);
    }

    /** Configures the container and its published ports. Called once, before the first start. */
    abstract void configure(GenericContainer<?> container);

    /** Called repeatedly until the server is ready or its container has ended. Must return within seconds. */
    abstract boolean isReady();

    final String alias() {
        return alias;
    }

    final DockerImageName image() {
        return image;
    }

    @Override
    public final void start() {
        if (isRunning()) {
            return;
        }
        log.markStart();
        if (created.isPresent()) {
            client().startContainerCmd(id()).exec();
        } else {
            created = Optional.of(create());
        }
        log.follow(client(), id());
        if (!Poll.until(() -> !isRunning() || isReady(), READY_TIMEOUT) || !isRunning()) {
            String reason = isRunning()
                    ? "was not ready within " + READY_TIMEOUT.toSeconds() + " s"
                    : "exited with code " + state().getExitCodeLong();
            throw new ServerException(
                    "%s %s while it started. The end of its log:%n%s".formatted(this, reason, log.tail()));
        }
    }

    private GenericContainer<?> create() {
        GenericContainer<?> container = network.container(alias, image);
        configure(container);
        container.start();
        return container;
    }

    /** Writes a file that every user in the running container can read. */
    final void write(String path, String text) {
        container().copyFileToContainer(Transferable.of(text, READABLE), path);
    }

    private static DockerClient client() {
        return DockerClientFactory.lazyClient();
    }

    private String id() {
        return container().getContainerId();
    }

    private GenericContainer<?> container() {
        return created.orElseThrow(() -> new IllegalStateException(this + " has never been started"));
    }

    private ContainerState state() {
        return client().inspectContainerCmd(id()).exec().getState();
    }

    @Override
    public final void stop() {
        if (isRunning()) {
            client().stopContainerCmd(id()).withTimeout(STOP_TIMEOUT_S).exec();
        }
    }

    @Override
    public final void kill() {
        if (isRunning()) {
            client().killContainerCmd(id()).exec();
            Poll.until(() -> !isRunning(), Duration.ofSeconds(STOP_TIMEOUT_S));
        }
    }

    @Override
    public final void pause() {
        client().pauseContainerCmd(id()).exec();
    }

    @Override
    public final void resume() {
        client().unpauseContainerCmd(id()).exec();
    }

    @Override
    public final boolean isRunning() {
        return created.isPresent() && Boolean.TRUE.equals(state().getRunning());
    }

    @Override
    public final long pid() {
        if (!isRunning()) {
            throw new IllegalStateException(this + " is not running");
        }
        return state().getPidLong();
    }

    @Override
    public final Duration cpuTime() {
        if (!isRunning()) {
            return Duration.ZERO;
        }
        AtomicLong nanos = new AtomicLong();
        try {
            client().statsCmd(id())
                    .withNoStream(true)
                    .exec(new ResultCallback.Adapter<Statistics>() {
                        @Override
                        public void onNext(Statistics statistics) {
                            nanos.set(statistics.getCpuStats().getCpuUsage().getTotalUsage());
                        }
                    })
                    .awaitCompletion();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("Interrupted: asking for the CPU time of " + this, e);
        }
        return Duration.ofNanos(nanos.get());
    }

    @Override
    public final Path log() {
        return log.file();
    }

    @Override
    public void close() {
        created.ifPresent(GenericContainer::stop);
        created = Optional.empty();
        try {
            log.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return alias + " (" + image + ")";
    }
}
