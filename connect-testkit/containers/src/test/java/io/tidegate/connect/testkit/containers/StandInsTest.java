package io.tidegate.connect.testkit.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.testcontainers.utility.DockerImageName;

final class StandInsTest {
    @Test
    void aStandInIsNamedAfterTheOfficialImageWithoutItsRegistry() {
        assertThat(standIn("postgres:17")).isEqualTo("tidegate-stand-in/postgres:17");
        assertThat(standIn("apache/kafka:4.3.1")).isEqualTo("tidegate-stand-in/apache/kafka:4.3.1");
        assertThat(standIn("ghcr.io/shopify/toxiproxy:2.5.0")).isEqualTo("tidegate-stand-in/shopify/toxiproxy:2.5.0");
    }

    private static String standIn(String official) {
        return StandIns.of(DockerImageName.parse(official)).asCanonicalNameString();
    }

    @Test
    void theStacksRunTheSameImages() throws IOException {
        String compose = Files.readString(Path.of("..", "..", "docker", "compose.yaml"));
        for (String server : new String[] {"elasticsearch", "grafana", "kafka", "postgres", "prometheus"}) {
            assertThat(compose).contains("-" + Images.official(server).asCanonicalNameString() + "}");
        }
    }

    @Test
    void everyServersImageIsPinned() {
        for (String server :
                new String[] {"elasticsearch", "grafana", "kafka", "postgres", "prometheus", "toxiproxy"}) {
            assertThat(Images.official(server).getVersionPart()).matches("v?\\d+(\\.\\d+)*");
        }
    }
}
