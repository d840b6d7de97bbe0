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
 * The life of one container: created at the first start, kept through stop and kill with its data and its ports, removed
 * when it is closed. A kind of server says what to run and when it is ready. Fields are written by the one thread that
 * starts, stops and closes.
 */
abstract class ContainerServer implements Server {
    private static final Duration UNTIL_READY = Duration.ofMinutes(4);
    private static final int UNTIL_STOPPED_S = 30;
    private static final int READABLE = 0644;

    private final ContainerNetwork network;
    private final String alias;
    private final DockerImageName image;
    private final ContainerLog log;
    private volatile Optional<GenericContainer<?>> created = Optional.empty();

    /**
     * @param alias the name that other containers of the network know it by
     * @param image the official one
     */
    ContainerServer(ContainerNetwork network, String alias, DockerImageName image) {
        this.network = network;
        this.alias = alias;
        this.image = image;
        log = new ContainerLog(alias);
    }

    /** Says what to run and which ports to publish. Called once, before the first start. */
    abstract void configure(GenericContainer<?> container);

    /** Asked again and again while the container runs; answers within seconds. */
    abstract boolean isReady();

    final String alias() {
        return alias;
    }

    final ContainerNetwork network() {
        return network;
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
        if (!Poll.until(() -> !isRunning() || isReady(), UNTIL_READY) || !isRunning()) {
            String reason = isRunning()
                    ? "was not ready within " + UNTIL_READY.toSeconds() + " s"
                    : "ended with exit code " + state().getExitCodeLong();
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

    /** Writes a file that everybody in the running container can read. */
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
            client().stopContainerCmd(id()).withTimeout(UNTIL_STOPPED_S).exec();
        }
    }

    @Override
    public final void kill() {
        if (isRunning()) {
            client().killContainerCmd(id()).exec();
            Poll.until(() -> !isRunning(), Duration.ofSeconds(UNTIL_STOPPED_S));
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
            throw new IllegalStateException(this + " does not run");
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
