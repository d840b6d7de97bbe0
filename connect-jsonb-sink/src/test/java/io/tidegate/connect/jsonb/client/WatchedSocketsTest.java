package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchedSocketsTest {
    /** An executor runs a task that throws never again. */
    @Test
    void watchesOnAfterAnErrorOfTheJvm() throws InterruptedException {
        CountDownLatch looks = new CountDownLatch(3);
        try (WatchedSockets sockets = new WatchedSockets("db.example", Duration.ofSeconds(1), () -> 0)) {
            sockets.lookEvery(Duration.ofMillis(1), () -> {
                looks.countDown();
                throw new OutOfMemoryError("of another connector");
            });
            Socket unused = WatchedSockets.create(sockets.name());
            assertThat(looks.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
