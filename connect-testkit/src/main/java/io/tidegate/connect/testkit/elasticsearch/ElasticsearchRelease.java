package io.tidegate.connect.testkit.elasticsearch;

import io.tidegate.connect.testkit.process.ServerException;
import io.tidegate.connect.testkit.process.ServerRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The releases of Elasticsearch that tests can run. */
public enum ElasticsearchRelease {
    /** 8.19 runs on the JDK of this JVM. */
    V8("Elasticsearch 8", "elasticsearch-8", 17),
    /** 9.5 needs JDK 21 or newer, which may be any JDK on this machine. */
    V9("Elasticsearch 9", "elasticsearch-9", 21);

    private static final int FIRST_FOREIGN_FUNCTIONS = 22;

    @SuppressWarnings("ImmutableEnumChecker") // a record of texts and a number
    private final ServerRelease release;

    ElasticsearchRelease(String title, String module, int java) {
        release = new ServerRelease(title, module, java);
    }

    /**
     * The release that tests run on: {@code -Dtestkit.elasticsearch=8}, the default, or {@code 9}.
     *
     * @throws ServerException if the property names an unknown release
     */
    public static ElasticsearchRelease ofTests() {
        return ServerRelease.asked("testkit.elasticsearch", ElasticsearchRelease.class, V8);
    }

    /** The reason why this release cannot run on this machine, or empty if it can. */
    public Optional<String> obstacle() {
        return release.obstacle();
    }

    ServerRelease release() {
        return release;
    }

    List<String> options() {
        List<String> options = new ArrayList<>();
        // Their synchronisation writes to the security index after each change of the cluster.
        options.add("-Des.queryable_built_in_roles_enabled=false");
        // The vector library is native code that only the distribution has.
        options.add("-Dorg.elasticsearch.nativeaccess.enableVectorLibrary=false");
        if (release.javaFeature() >= FIRST_FOREIGN_FUNCTIONS) {
            options.add("--enable-native-access=ALL-UNNAMED");
        }
        if (this == V9) {
            options.add("--add-modules=jdk.incubator.vector");
        }
        return options;
    }

    @Override
    public String toString() {
        return release.title();
    }
}
