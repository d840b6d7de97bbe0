package io.tidegate.connect.testkit.containers;

import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/**
 * Finds the official images of the servers and checks whether they can run. An attempt to pull a missing image is made
 * once per JVM, because Testcontainers would retry for minutes at each start. Thread-safe.
 */
final class Images {
    private static final int PULL_MINUTES = 10;
    private static final Properties NAMES = names();
    private static final Map<DockerImageName, Optional<String>> OBSTACLES = new ConcurrentHashMap<>();

    private Images() {}

    private static Properties names() {
        Properties names = new Properties();
        try (InputStream in = Images.class.getResourceAsStream("images.properties")) {
            names.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names;
    }

    /** The official image of a server: elasticsearch, kafka, postgres or toxiproxy. */
    static DockerImageName official(String server) {
        return DockerImageName.parse(NAMES.getProperty(server));
    }

    /** The reason why this image cannot run, or empty if it or its stand-in can. */
    static Optional<String> obstacle(DockerImageName official) {
        return OBSTACLES.computeIfAbsent(official, Images::findObstacle);
    }

    private static Optional<String> findObstacle(DockerImageName official) {
        DockerImageName chosen = ImageNameSubstitutor.instance().apply(official);
        if (isThere(chosen)) {
            return Optional.empty();
        }
        return pull(chosen)
                .map(reason ->
                        "there is no image %s and no stand-in for it (docker/build-images makes one), and the pull"
                                        .formatted(official)
                                + " failed: " + reason);
    }

    static boolean isThere(DockerImageName image) {
        try {
            DockerClientFactory.lazyClient()
                    .inspectImageCmd(image.asCanonicalNameString())
                    .exec();
            return true;
        } catch (NotFoundException e) {
            return false;
        }
    }

    /** The error message, or empty after a successful pull. */
    private static Optional<String> pull(DockerImageName image) {
        try {
            boolean done = DockerClientFactory.lazyClient()
                    .pullImageCmd(image.getUnversionedPart())
                    .withTag(image.getVersionPart())
                    .start()
                    .awaitCompletion(PULL_MINUTES, TimeUnit.MINUTES);
            return done ? Optional.empty() : Optional.of("it took longer than " + PULL_MINUTES + " minutes");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        } catch (RuntimeException e) {
            return Optional.of(String.valueOf(e.getMessage()).strip());
        }
    }
}
