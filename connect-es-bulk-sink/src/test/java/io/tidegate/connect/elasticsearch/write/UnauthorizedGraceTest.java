package io.tidegate.connect.elasticsearch.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.TransportException;
import io.tidegate.connect.elasticsearch.settings.AccessSettings;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

final class UnauthorizedGraceTest {
    private static final Duration A_DAY = Duration.ofDays(1);

    @Test
    void bearsACertificateOnlyOnceTheServerHasAnswered() {
        UnauthorizedGrace grace = grace(A_DAY);
        assertThat(grace.classify(untrusted()).failure()).isEqualTo(Failure.FATAL);

        grace.accepted();

        RequestFailure borne = grace.classify(untrusted());
        assertThat(borne.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(borne).hasMessageContaining("ssl.ca").hasMessageContaining("unauthorized.retry.ms");
    }

    @Test
    void bearsTheCertificateOfOneOfSeveralNodes() {
        UnauthorizedGrace grace = new UnauthorizedGrace(Clock.SYSTEM, new AccessSettings(A_DAY), 2);
        assertThat(grace.classify(untrusted()).failure()).isEqualTo(Failure.TRANSIENT);
    }

    @Test
    void bearsNothingWhenToldSo() {
        UnauthorizedGrace grace = grace(Duration.ZERO);
        grace.accepted();
        assertThat(grace.classify(untrusted()).failure()).isEqualTo(Failure.FATAL);
    }

    @Test
    void bearsNoFaultOfTheSinkItself() {
        UnauthorizedGrace grace = grace(A_DAY);
        grace.accepted();
        RequestFailure fault =
                RequestFailure.of("a request", new TransportException(new IllegalStateException("a bug")));
        assertThat(grace.classify(fault).failure()).isEqualTo(Failure.FATAL);
    }

    private static RequestFailure untrusted() {
        SSLHandshakeException handshake = new SSLHandshakeException("no");
        handshake.initCause(new CertificateException("the certificate is not trusted"));
        return RequestFailure.of("a request", new TransportException(handshake));
    }

    private static UnauthorizedGrace grace(Duration duration) {
        return new UnauthorizedGrace(Clock.SYSTEM, new AccessSettings(duration), 1);
    }
}
