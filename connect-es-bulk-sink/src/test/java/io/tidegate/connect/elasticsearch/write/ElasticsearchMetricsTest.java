package io.tidegate.connect.elasticsearch.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.elasticsearch.StubServer;
import io.tidegate.connect.elasticsearch.client.ConnectionCounts;
import io.tidegate.connect.elasticsearch.client.ElasticsearchClient;
import io.tidegate.connect.elasticsearch.client.ElasticsearchSession;
import io.tidegate.connect.elasticsearch.client.Request;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.client.tls.TestTls;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

final class ElasticsearchMetricsTest {
    @Test
    void theDaysThatACertificateHasLeftFollowTheClock() throws Exception {
        ManualClock clock = new ManualClock();
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(TestTls.serverContext()));
        try (StubServer server = new StubServer(https);
                ElasticsearchClient client = ElasticsearchClient.open(settings(server))) {
            Response unused =
                    new ElasticsearchSession(client, settings(server)).perform(Request.of("GET", "/"), "a request");
            Metric daysLeft =
                    ElasticsearchMetrics.of(
                                    clock, new FailureCounts(), () -> ConnectionCounts.NONE, client.certificates())
                            .stream()
                            .filter(metric -> metric.name().equals("certificate-days-left"))
                            .findFirst()
                            .orElseThrow();
            double before = daysLeft.value().get().doubleValue();

            clock.pass(Duration.ofDays(3));

            assertThat(before - daysLeft.value().get().doubleValue()).isEqualTo(3);
        }
    }

    private static ConnectionSettings settings(StubServer server) throws IOException {
        ConfigDef def = TlsSettings.define(ConnectionSettings.define(new ConfigDef()));
        Map<String, String> props =
                Map.of("connection.url", "https://localhost:" + server.port(), "ssl.ca", TestTls.pem("ca.pem"));
        return ConnectionSettings.from(new AbstractConfig(def, props, false));
    }
}
