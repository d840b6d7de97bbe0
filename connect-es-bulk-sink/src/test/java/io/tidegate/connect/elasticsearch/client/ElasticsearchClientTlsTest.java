package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidegate.connect.common.credentials.Credentials;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.common.tls.VerificationMode;
import io.tidegate.connect.elasticsearch.StubServer;
import io.tidegate.connect.elasticsearch.client.tls.TestTls;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import io.tidegate.connect.elasticsearch.settings.ExtraHeaders;
import io.tidegate.connect.elasticsearch.settings.ServerProduct;
import io.tidegate.connect.testkit.net.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class ElasticsearchClientTlsTest {
    private StubServer server;

    @BeforeEach
    void start() throws Exception {
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(TestTls.serverContext()));
        server = new StubServer(https).answers(200, "{}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void trustsAnAuthorityFromAFile() throws Exception {
        String file = Path.of(TestTls.class.getResource("ca.pem").toURI()).toString();
        assertThat(get("https://localhost", file, VerificationMode.FULL).status())
                .isEqualTo(200);
    }

    @Test
    void trustsAnyAuthorityOfABundleGivenAsText() throws Exception {
        String bundle = "# the old one\n" + TestTls.pem("other-ca.pem") + "\nsubject=new\n" + TestTls.pem("ca.pem");
        assertThat(get("https://localhost", bundle, VerificationMode.FULL).status())
                .isEqualTo(200);
    }

    @Test
    void saysWhatWasPresentedAndWhatIsTrusted() throws Exception {
        Throwable failure = failure("https://localhost", TestTls.pem("other-ca.pem"), VerificationMode.FULL);
        assertThat(ConnectionFailures.of(failure).kind()).isEqualTo(Verdict.Kind.UNTRUSTED);
        assertThat(ConnectionFailures.of(failure).in(ConnectionFailures.describe(failure)))
                .contains("the server presented `CN=localhost` issued by `CN=Tidegate test CA`")
                .contains("trusted are ssl.ca `CN=Another CA` (SHA-256 ")
                .contains("set ssl.ca");
    }

    @Test
    void saysThatTheServersCertificateHasEnded(@TempDir Path folder) throws Exception {
        Certificates certificates = Certificates.authority(folder);
        Path ended = certificates.server("ended").expired().issue().keyStore();
        HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(TestTls.serverContext(ended, Certificates.STORE_PASSWORD)));
        try (StubServer other = new StubServer(https)) {
            Throwable failure = failure(
                    URI.create("https://localhost:" + other.port()),
                    certificates.caCertificate().toString(),
                    VerificationMode.FULL);
            assertThat(ConnectionFailures.of(failure).kind()).isEqualTo(Verdict.Kind.UNTRUSTED);
            assertThat(ConnectionFailures.of(failure).in(ConnectionFailures.describe(failure)))
                    .contains("the server presented `CN=ended`")
                    .contains("valid from ")
                    .contains("unless that certificate has expired");
        }
    }

    @Test
    void saysThatTheJvmDoesNotTrustIt() {
        Throwable failure = failure("https://localhost", "", VerificationMode.FULL);
        assertThat(ConnectionFailures.describe(failure)).contains("the authorities that the worker's JVM trusts");
    }

    @Test
    void verifiesTheHostNameUnlessToldOtherwise() throws Exception {
        Throwable failure = failure("https://127.0.0.1", TestTls.pem("ca.pem"), VerificationMode.FULL);
        assertThat(ConnectionFailures.of(failure).kind()).isEqualTo(Verdict.Kind.UNTRUSTED);
        assertThat(ConnectionFailures.of(failure).in(ConnectionFailures.describe(failure)))
                .contains("127.0.0.1")
                .contains("localhost")
                .contains("ssl.verification.mode=certificate");
        assertThat(get("https://127.0.0.1", TestTls.pem("ca.pem"), VerificationMode.CERTIFICATE)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void verifiesNothingWhenToldSo() throws Exception {
        assertThat(get("https://127.0.0.1", TestTls.pem("other-ca.pem"), VerificationMode.NONE)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void saysThatTheServerSpeaksPlainHttp() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> answerInPlainHttp(plain));
            answering.start();
            Throwable failure =
                    failure(URI.create("https://localhost:" + plain.getLocalPort()), "", VerificationMode.FULL);
            assertThat(ConnectionFailures.of(failure).kind()).isEqualTo(Verdict.Kind.UNTRUSTED);
            assertThat(ConnectionFailures.of(failure).advice()).contains("plain HTTP");
            answering.join();
        }
    }

    /** As Elasticsearch does: a handshake is a bad request. */
    private static void answerInPlainHttp(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().readNBytes(5);
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // the client has left: its failure is what the test is about
        }
    }

    private Response get(String host, String ca, VerificationMode mode) throws RequestFailure {
        return get(URI.create(host + ":" + server.port()), ca, mode);
    }

    private Throwable failure(String host, String ca, VerificationMode mode) {
        return failure(URI.create(host + ":" + server.port()), ca, mode);
    }

    private static Throwable failure(URI url, String ca, VerificationMode mode) {
        return catchThrowableOfType(RequestFailure.class, () -> get(url, ca, mode))
                .getCause();
    }

    private static Response get(URI url, String ca, VerificationMode mode) throws RequestFailure {
        ConnectionSettings settings = new ConnectionSettings(
                List.of(url),
                Credentials.ANONYMOUS,
                trusting(ca, mode),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                2,
                false,
                Duration.ZERO,
                Duration.ZERO,
                ServerProduct.ELASTICSEARCH,
                Optional.empty(),
                new ExtraHeaders(new Password("")));
        try (ElasticsearchClient client = ElasticsearchClient.open(settings)) {
            return new ElasticsearchSession(client, settings).perform(Request.of("GET", "/"), "a request");
        }
    }

    private static TlsSettings trusting(String ca, VerificationMode mode) {
        Map<String, String> props =
                Map.of("ssl.ca", ca, "ssl.verification.mode", mode.name().toLowerCase(Locale.ROOT));
        return TlsSettings.from(new AbstractConfig(TlsSettings.define(new ConfigDef()), props, false));
    }
}
