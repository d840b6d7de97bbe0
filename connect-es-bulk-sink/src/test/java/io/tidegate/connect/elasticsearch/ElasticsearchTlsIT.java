package io.tidegate.connect.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.testkit.elasticsearch.ElasticsearchNode;
import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.HttpProxy;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways to trust a real node that asks its clients for certificates, and to show it one. */
final class ElasticsearchTlsIT {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final ElasticsearchNode NODE =
            ElasticsearchNode.builder().fastStart().requireClientCertificates().build();
    private static final List<Document> DOCUMENTS = Documents.numbered("tides", 3);

    private final List<ElasticsearchTarget> targets = new ArrayList<>();

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        NODE.start();
    }

    @AfterAll
    static void stop() {
        NODE.close();
    }

    @AfterEach
    void close() {
        targets.forEach(ElasticsearchTarget::close);
    }

    @Test
    void trustsTheFingerprintThatElasticsearchPrintsAndShowsAPemCertificate() throws Exception {
        Certificates.Identity identity = NODE.certificates().client("pem").issue();
        BatchWriter writer = writer(Map.of(
                "ssl.ca.fingerprint", fingerprint(),
                "ssl.certificate", identity.certificate().toString(),
                "ssl.key", identity.privateKey().toString()));
        assertThat(writer.write(DOCUMENTS)).isEmpty();
        assertThat(metric("certificate-days-left")).isBetween(364.0, 365.0);
        assertThat(metric("http-max")).isEqualTo(100);
        assertThat(metric("http-active") + metric("http-idle")).isPositive();
    }

    private double metric(String name) {
        return targets.get(0).metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(metric -> metric.value().get().doubleValue())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void takesPemTextAndStores() throws Exception {
        Certificates.Identity identity = NODE.certificates().client("text").issue();
        assertThat(writer(Map.of(
                                "ssl.ca", Files.readString(NODE.caCertificate()),
                                "ssl.certificate", Files.readString(identity.certificate()),
                                "ssl.key", Files.readString(identity.privateKey())))
                        .write(DOCUMENTS))
                .isEmpty();
        assertThat(writer(Map.of(
                                "ssl.truststore.location",
                                NODE.certificates().trustStore().toString(),
                                "ssl.truststore.password",
                                Certificates.STORE_PASSWORD,
                                "ssl.keystore.location",
                                identity.keyStore().toString(),
                                "ssl.keystore.password",
                                Certificates.STORE_PASSWORD))
                        .write(DOCUMENTS))
                .isEmpty();
        assertThat(writer(Map.of(
                                "ssl.truststore.location",
                                jks().toString(),
                                "ssl.truststore.password",
                                "as it is",
                                "ssl.truststore.type",
                                "JKS",
                                "ssl.keystore.location",
                                identity.keyStore().toString(),
                                "ssl.keystore.password",
                                Certificates.STORE_PASSWORD))
                        .write(DOCUMENTS))
                .isEmpty();
    }

    @Test
    void takesThePemSettingsOfKafkasClients() throws Exception {
        Certificates.Identity identity = NODE.certificates().client("kafka").issue();
        Path both = Files.writeString(
                folder.resolve("both.pem"),
                Files.readString(identity.privateKey()) + Files.readString(identity.certificate()));
        assertThat(writer(Map.of(
                                "ssl.truststore.type", "PEM",
                                "ssl.truststore.certificates", Files.readString(NODE.caCertificate()),
                                "ssl.keystore.type", "PEM",
                                "ssl.keystore.certificate.chain", Files.readString(identity.certificate()),
                                "ssl.keystore.key", Files.readString(identity.privateKey())))
                        .write(DOCUMENTS))
                .isEmpty();
        assertThat(writer(Map.of(
                                "ssl.truststore.type",
                                "PEM",
                                "ssl.truststore.location",
                                NODE.caCertificate().toString(),
                                "ssl.keystore.type",
                                "PEM",
                                "ssl.keystore.location",
                                both.toString()))
                        .write(DOCUMENTS))
                .isEmpty();
    }

    @Test
    void takesTheSettingsOfConfluentsSink() throws Exception {
        Certificates.Identity identity = NODE.certificates().client("confluent").issue();
        assertThat(writer(Map.of(
                                "elastic.security.protocol",
                                "SSL",
                                "elastic.https.ssl.truststore.location",
                                NODE.certificates().trustStore().toString(),
                                "elastic.https.ssl.truststore.password",
                                Certificates.STORE_PASSWORD,
                                "elastic.https.ssl.keystore.location",
                                identity.keyStore().toString(),
                                "elastic.https.ssl.keystore.password",
                                Certificates.STORE_PASSWORD,
                                "elastic.https.ssl.key.password",
                                Certificates.STORE_PASSWORD,
                                "write.method",
                                "INSERT",
                                "behavior.on.null.values",
                                "IGNORE",
                                "type.name",
                                "_doc"))
                        .write(DOCUMENTS))
                .isEmpty();
    }

    @Test
    void writesThroughAProxyThatAsksForAPassword() throws Exception {
        Certificates.Identity identity = NODE.certificates().client("proxied").issue();
        try (HttpProxy proxy = HttpProxy.start("gull", "tern")) {
            Map<String, String> settings = Map.of(
                    "ssl.ca", NODE.caCertificate().toString(),
                    "ssl.certificate", identity.certificate().toString(),
                    "ssl.key", identity.privateKey().toString(),
                    "proxy.host", proxy.host(),
                    "proxy.port", Integer.toString(proxy.port()),
                    "proxy.username", "gull",
                    "proxy.password", "tern");
            assertThat(writer(settings).write(DOCUMENTS)).isEmpty();
            assertThat(proxy.tunnels()).isPositive();

            Map<String, String> wrong = new HashMap<>(settings);
            wrong.put("proxy.password", "wrong");
            WriteException e = failure(writer(wrong));
            assertThat(e.failure()).isEqualTo(Failure.FATAL);
            assertThat(e).hasMessageContaining("407").hasMessageContaining("check proxy.username and proxy.password");
        }
    }

    @Test
    void saysThatTheServerAsksForACertificate() {
        WriteException e = failure(writer(Map.of("ssl.ca", NODE.caCertificate().toString())));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e).hasMessageContaining("asks its clients for a certificate: set ssl.certificate and ssl.key");
    }

    @Test
    void saysWhichFingerprintsTheServerHas() throws Exception {
        String other = "0123456789abcdef".repeat(4);
        WriteException e = failure(writer(Map.of("ssl.ca.fingerprint", other)));
        assertThat(e.failure()).isEqualTo(Failure.FATAL);
        assertThat(e)
                .hasMessageContaining("trusted are ssl.ca.fingerprint " + other)
                .hasMessageContaining("theirs are ")
                .hasMessageContaining(fingerprint());
    }

    @Test
    void readsFilesAgainWhenTheyChange() throws Exception {
        Certificates.Identity identity = NODE.certificates().client("late").issue();
        Path ca = folder.resolve("ca.pem");
        Path certificate = folder.resolve("me.pem");
        Path key = folder.resolve("me.key");
        Certificates others = Certificates.authority(folder.resolve("others"));
        Certificates.Identity other = others.client("other").issue();
        copy(others.caCertificate(), ca);
        copy(other.certificate(), certificate);
        copy(other.privateKey(), key);
        BatchWriter writer = writer(
                Map.of("ssl.ca", ca.toString(), "ssl.certificate", certificate.toString(), "ssl.key", key.toString()));
        assertThat(failure(writer)).hasMessageContaining("the server presented");

        copy(NODE.caCertificate(), ca);
        assertThat(failure(writer)).hasMessageContaining("asks its clients for a certificate");

        copy(identity.certificate(), certificate);
        copy(identity.privateKey(), key);
        await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(writer.write(DOCUMENTS))
                .isEmpty());
    }

    private static void copy(Path from, Path to) throws Exception {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path jks() throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        try (InputStream in = Files.newInputStream(NODE.caCertificate())) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        Path file = folder.resolve("trust.jks");
        try (var out = Files.newOutputStream(file)) {
            store.store(out, "as it is".toCharArray());
        }
        return file;
    }

    private static String fingerprint() throws Exception {
        try (InputStream in = Files.newInputStream(NODE.caCertificate())) {
            byte[] der = CertificateFactory.getInstance("X.509")
                    .generateCertificate(in)
                    .getEncoded();
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der));
        }
    }

    private static WriteException failure(BatchWriter writer) {
        return catchThrowableOfType(WriteException.class, () -> writer.write(DOCUMENTS));
    }

    private BatchWriter writer(Map<String, String> settings) {
        Map<String, String> props = new HashMap<>(settings);
        props.put("connection.url", NODE.url().toString());
        props.put("connection.username", NODE.username());
        props.put("connection.password", NODE.password());
        ElasticsearchTargetType type = new ElasticsearchTargetType();
        ElasticsearchTarget target =
                (ElasticsearchTarget) type.open(type.aliases().resolve(props));
        targets.add(target);
        return new DeliveredWriter(target);
    }
}
