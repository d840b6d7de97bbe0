package io.tidegate.connect.elasticsearch.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.elasticsearch.client.RequestFailure;
import io.tidegate.connect.elasticsearch.client.Response;
import io.tidegate.connect.elasticsearch.settings.AccessSettings;
import java.io.ByteArrayInputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

final class AccessGraceTest {
    private static final Duration A_DAY = Duration.ofDays(1);

    @Test
    void bearsACertificateOnlyOnceTheServerHasAnswered() {
        AccessGrace grace = grace(A_DAY);
        assertThat(grace.classify(untrusted()).failure()).isEqualTo(Failure.FATAL);

        grace.accepted();

        RequestFailure borne = grace.classify(untrusted());
        assertThat(borne.failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(borne).hasMessageContaining("ssl.ca").hasMessageContaining("unauthorized.retry.ms");
    }

    @Test
    void bearsTheCertificateOfOneOfSeveralNodes() {
        AccessGrace grace = new AccessGrace(Clock.SYSTEM, new AccessSettings(A_DAY), 2, new AtomicBoolean());
        assertThat(grace.classify(untrusted()).failure()).isEqualTo(Failure.TRANSIENT);
    }

    @Test
    void waitsShortlyForAServerThatHasNeverAnsweredAndLongForOneThatHas() {
        ManualClock clock = new ManualClock();
        AtomicBoolean everWritten = new AtomicBoolean();
        AccessGrace first = new AccessGrace(clock, new AccessSettings(Duration.ofMinutes(15)), 1, everWritten);
        AccessGrace second = new AccessGrace(clock, new AccessSettings(Duration.ofMinutes(15)), 1, everWritten);
        assertThat(first.classify(refused(401)).failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(first.classify(refused(403)).failure()).as("wrong settings").isEqualTo(Failure.FATAL);
        clock.pass(Duration.ofSeconds(30));
        assertThat(first.classify(refused(401)).failure()).isEqualTo(Failure.FATAL);

        second.accepted();
        first.accepted();
        for (int status : new int[] {401, 403}) {
            assertThat(first.classify(refused(status)).failure()).isEqualTo(Failure.TRANSIENT);
        }
        for (int minutes : new int[] {5, 5, 4}) {
            clock.pass(Duration.ofMinutes(minutes));
            assertThat(first.classify(refused(403)).failure()).isEqualTo(Failure.TRANSIENT);
        }
        clock.pass(Duration.ofMinutes(1));
        second.accepted();
        RequestFailure last = first.classify(refused(403));
        assertThat(last.failure()).as("one lane's success is not another's").isEqualTo(Failure.FATAL);
        assertThat(last).hasMessageContaining("403 security_exception").hasMessageContaining("connection.username");
    }

    @Test
    void doesNotCountTheTimeInWhichTheServerIsAway() {
        ManualClock clock = new ManualClock();
        AccessGrace grace =
                new AccessGrace(clock, new AccessSettings(Duration.ofMinutes(15)), 1, new AtomicBoolean(true));
        assertThat(grace.classify(refused(401)).failure()).isEqualTo(Failure.TRANSIENT);
        clock.pass(Duration.ofHours(1));
        RequestFailure away = RequestFailure.of("a request", new ConnectException("refused"));
        assertThat(grace.classify(away)).isSameAs(away);

        for (int minutes : new int[] {5, 5, 4}) {
            clock.pass(Duration.ofMinutes(minutes));
            assertThat(grace.classify(refused(401)).failure()).isEqualTo(Failure.TRANSIENT);
        }
        clock.pass(Duration.ofMinutes(1));
        assertThat(grace.classify(refused(401)).failure()).isEqualTo(Failure.FATAL);
    }

    @Test
    void boundsTheTimeForEachIndexThatMayNotBeCreated() {
        ManualClock clock = new ManualClock();
        AccessGrace grace =
                new AccessGrace(clock, new AccessSettings(Duration.ofMinutes(1)), 1, new AtomicBoolean(true));
        assertThat(grace.classify("a", refused(403)).failure()).isEqualTo(Failure.TRANSIENT);
        clock.pass(Duration.ofMinutes(1));
        grace.accepted();
        assertThat(grace.classify("a", refused(403)).failure()).isEqualTo(Failure.FATAL);
        assertThat(grace.classify("b", refused(403)).failure()).isEqualTo(Failure.TRANSIENT);

        grace.exists("a");
        assertThat(grace.classify("a", refused(403)).failure()).isEqualTo(Failure.TRANSIENT);
        assertThat(grace.classify("c", refused(400)).failure()).isEqualTo(Failure.FATAL);
    }

    /** A rebalance takes the batch away, and the next one comes hours later. */
    @Test
    void doesNotCountTheTimeInWhichThereWasNothingToWrite() {
        ManualClock clock = new ManualClock();
        AccessGrace grace =
                new AccessGrace(clock, new AccessSettings(Duration.ofMinutes(15)), 1, new AtomicBoolean(true));
        assertThat(grace.classify(refused(401)).failure()).isEqualTo(Failure.TRANSIENT);
        clock.pass(Duration.ofHours(8));
        assertThat(grace.classify(refused(401)).failure()).isEqualTo(Failure.TRANSIENT);
    }

    private static RequestFailure refused(int status) {
        return RequestFailure.of(
                "a request",
                new Response(
                        status,
                        Optional.empty(),
                        true,
                        new ByteArrayInputStream(
                                "{\"error\":{\"type\":\"security_exception\",\"reason\":\"unauthorized\"}}"
                                        .getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void bearsNothingWhenToldSo() {
        AccessGrace grace = grace(Duration.ZERO);
        grace.accepted();
        assertThat(grace.classify(untrusted()).failure()).isEqualTo(Failure.FATAL);
    }

    @Test
    void bearsNoFaultOfTheSinkItself() {
        AccessGrace grace = grace(A_DAY);
        grace.accepted();
        RequestFailure fault = RequestFailure.of("a request", new IllegalStateException("a bug"));
        assertThat(grace.classify(fault).failure()).isEqualTo(Failure.FATAL);
    }

    private static RequestFailure untrusted() {
        SSLHandshakeException handshake = new SSLHandshakeException("no");
        handshake.initCause(new CertificateException("the certificate is not trusted"));
        return RequestFailure.of("a request", handshake);
    }

    private static AccessGrace grace(Duration duration) {
        return new AccessGrace(Clock.SYSTEM, new AccessSettings(duration), 1, new AtomicBoolean());
    }
}
