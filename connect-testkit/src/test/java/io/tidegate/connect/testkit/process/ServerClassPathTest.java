package io.tidegate.connect.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerClassPathTest {
    @ParameterizedTest
    @ValueSource(strings = {"kafka", "kafka-3.9", "elasticsearch-8", "elasticsearch-9", "opensearch-2", "opensearch-3"})
    void startsWithTheModuleAndKeepsItsJarsOffThisJvm(String server) {
        assertThat(ServerClassPath.of(server).split(":", -1)).hasSizeGreaterThan(50);
        assertThat(System.getProperty("java.class.path")).doesNotContain("connect-runtime", "lucene-core");
    }

    @Test
    void saysWhichModuleIsMissing() {
        assertThatThrownBy(() -> ServerClassPath.of("zookeeper"))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("io/tidegate/servers/zookeeper.classpath")
                .hasMessageContaining("testkit-server-zookeeper");
    }

    @Test
    void findsTheRootOfAResource() throws Exception {
        assertThat(ServerClassPath.root(new URI("jar:file:/a%20b/c.jar!/x/y").toURL(), "x/y"))
                .isEqualTo(Path.of("/a b/c.jar"));
        assertThat(ServerClassPath.root(new URI("file:/a%20b/classes/x/y").toURL(), "x/y"))
                .isEqualTo(Path.of("/a b/classes"));
    }
}
