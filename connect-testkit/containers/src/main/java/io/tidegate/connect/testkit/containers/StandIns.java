package io.tidegate.connect.testkit.containers;

import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/**
 * Chooses the image to run. It is the official one if the engine has it. Otherwise it is the stand-in, if {@code
 * docker/build-images} has built one because no registry was reachable. Otherwise the official image is pulled. Tests
 * name only official images.
 */
public final class StandIns extends ImageNameSubstitutor {
    private static final String NAMESPACE = "tidegate-stand-in/";

    /** For {@link java.util.ServiceLoader}, which Testcontainers uses. */
    public StandIns() {}

    @Override
    public DockerImageName apply(DockerImageName official) {
        DockerImageName standIn = of(official);
        return !Images.isThere(official) && Images.isThere(standIn) ? standIn : official;
    }

    /** Drops the registry from the name; {@code docker/build-images} does the same. */
    static DockerImageName of(DockerImageName official) {
        return DockerImageName.parse(NAMESPACE + official.getRepository() + ":" + official.getVersionPart())
                .asCompatibleSubstituteFor(official);
    }

    @Override
    protected String getDescription() {
        return "stand-ins of docker/build-images";
    }
}
