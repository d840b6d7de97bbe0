package io.tidegate.connect.testkit.containers;

import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/**
 * Chooses the image that runs: the official one if the engine has it, else its stand-in if {@code docker/build-images}
 * has built one because no registry answered, else the official one, which is pulled then. Tests name official images
 * only.
 */
public final class StandIns extends ImageNameSubstitutor {
    private static final String NAMESPACE = "tidegate-stand-in/";

    /** Testcontainers makes one, as a service. */
    public StandIns() {}

    @Override
    public DockerImageName apply(DockerImageName official) {
        DockerImageName standIn = of(official);
        return !Images.isThere(official) && Images.isThere(standIn) ? standIn : official;
    }

    /** The registry in front is dropped; the same rule as in {@code docker/build-images}. */
    static DockerImageName of(DockerImageName official) {
        return DockerImageName.parse(NAMESPACE + official.getRepository() + ":" + official.getVersionPart())
                .asCompatibleSubstituteFor(official);
    }

    @Override
    protected String getDescription() {
        return "stand-ins of docker/build-images";
    }
}
