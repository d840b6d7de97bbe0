package io.tidegate.connect.testkit.elasticsearch;

import io.tidegate.connect.testkit.process.ServerException;
import io.tidegate.connect.testkit.process.ServerRelease;
import java.util.Optional;

/** The releases of OpenSearch that tests can run. */
public enum OpenSearchRelease {
    /** 2.19 runs on the JDK of this JVM. */
    V2("OpenSearch 2", "opensearch-2", 17),
    /** 3.8 needs JDK 21 or newer, which may be any JDK on this machine. */
    V3("OpenSearch 3", "opensearch-3", 21);

    @SuppressWarnings("ImmutableEnumChecker") // a record of texts and a number
    private final ServerRelease release;

    OpenSearchRelease(String title, String module, int java) {
        release = new ServerRelease(title, module, java);
    }

    /**
     * The release that tests run on: {@code -Dtestkit.opensearch=2}, the default, or {@code 3}.
     *
     * @throws ServerException if the property names an unknown release
     */
    public static OpenSearchRelease ofTests() {
        return ServerRelease.asked("testkit.opensearch", OpenSearchRelease.class, V2);
    }

    /** The reason why this release cannot run on this machine, or empty if it can. */
    public Optional<String> obstacle() {
        return release.obstacle();
    }

    ServerRelease release() {
        return release;
    }

    @Override
    public String toString() {
        return release.title();
    }
}
