package io.tidegate.connect.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.elasticsearch.OpenSearchRelease;
import io.tidegate.connect.testkit.kafka.KafkaRelease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ServerReleaseTest {
    private static final String PROPERTY = "testkit.release.of.this.test";

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
    }

    private static OpenSearchRelease asked() {
        return ServerRelease.asked(PROPERTY, OpenSearchRelease.class, OpenSearchRelease.V2);
    }

    @Test
    void isTheDefaultUnlessThePropertyNamesAnother() {
        assertThat(asked()).isEqualTo(OpenSearchRelease.V2);
        System.setProperty(PROPERTY, "3");
        assertThat(asked()).isEqualTo(OpenSearchRelease.V3);
    }

    @Test
    void takesPointsOfANumber() {
        System.setProperty(PROPERTY, "3.9");
        assertThat(ServerRelease.asked(PROPERTY, KafkaRelease.class, KafkaRelease.V4))
                .isEqualTo(KafkaRelease.V3_9);
    }

    @Test
    void namesTheKnownReleases() {
        System.setProperty(PROPERTY, "1");
        assertThatThrownBy(ServerReleaseTest::asked)
                .isInstanceOf(ServerException.class)
                .hasMessageContaining(PROPERTY + "=1")
                .hasMessageContaining("OpenSearch 2, OpenSearch 3");
    }

    @Test
    void namesTheMissingJdk() {
        ServerRelease future = new ServerRelease("Elasticsearch 99", "elasticsearch-99", 999);
        assertThat(future.obstacle().orElseThrow())
                .startsWith("Elasticsearch 99 cannot run: this machine has no JDK 999 or newer");
        assertThatThrownBy(future::home)
                .isInstanceOf(ServerException.class)
                .hasMessage(future.obstacle().orElseThrow());
    }
}
