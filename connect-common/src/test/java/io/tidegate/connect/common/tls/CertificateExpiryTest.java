package io.tidegate.connect.common.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CertificateExpiryTest {
    private static final String PASSWORD = "secret";
    private final Instant now = Instant.now();

    @TempDir
    private static Path folder;

    private static X509Certificate fiveDays;
    private static X509Certificate year;

    private final CertificateExpiry expiry = new CertificateExpiry();

    @BeforeAll
    static void create() throws Exception {
        fiveDays = certificate(5);
        year = certificate(365);
    }

    /** With the subject that Elasticsearch's own tool gives to all nodes. */
    private static X509Certificate certificate(int days) throws IOException, GeneralSecurityException {
        Path store = folder.resolve(days + ".p12");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "s",
                        "-dname",
                        "CN=instance",
                        "-validity",
                        Integer.toString(days),
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.onExit().join().exitValue()).as(output).isZero();
        return (X509Certificate)
                KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray()).getCertificate("s");
    }

    private double daysLeft(Instant now) {
        return expiry.daysLeft(now).orElseThrow();
    }

    @Test
    void certificatesOfOneSubjectAreDifferentOnes() {
        expiry.seen(List.of(fiveDays), now);
        expiry.seen(List.of(year), now);

        assertThat(daysLeft(now)).isCloseTo(5, within(0.1));
    }

    @Test
    void oneThatNobodyPresentsAnyMoreIsForgotten() {
        expiry.seen(List.of(fiveDays, year), now);
        Instant later = now.plus(CertificateExpiry.IN_USE).plus(Duration.ofSeconds(1));
        assertThat(daysLeft(later)).as("nobody has connected").isCloseTo(3, within(0.1));

        expiry.seen(List.of(year), later);

        assertThat(daysLeft(later)).isCloseTo(363, within(0.1));
    }

    @Test
    void theSinksOwnIsReplaced() {
        expiry.own(List.of(fiveDays));
        expiry.seen(List.of(year), now.plus(Duration.ofDays(30)));
        assertThat(daysLeft(now)).isCloseTo(5, within(0.1));

        expiry.own(List.of(year));

        assertThat(daysLeft(now)).isCloseTo(365, within(0.1));
    }
}
