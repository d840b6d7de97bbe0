package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.jsonb.Props;
import io.tidegate.connect.jsonb.settings.ConnectionSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.config.AbstractConfig;
import org.junit.jupiter.api.Test;

final class PoolThreadsTest {
    /** As of a thousand tenants, each with a login. */
    @Test
    void idlePoolsHaveNoThreadsForThemselves() {
        List<PoolLease> leases = new ArrayList<>();
        try {
            leases.add(lease(0));
            long before = threads();
            for (int user = 1; user <= 50; user++) {
                leases.add(lease(user));
            }

            assertThat(threads()).isLessThan(before + 10);
        } finally {
            leases.forEach(PoolLease::close);
        }
    }

    private static PoolLease lease(int user) {
        return new PoolLease(ConnectionSettings.from(new AbstractConfig(
                new PostgresTargetType().config(),
                Props.of("connection.url=jdbc:postgresql://localhost:1/tides connection.user=tenant" + user),
                false)));
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tidegate"))
                .count();
    }

    /** A socket may be opened while a look has just found that there is none. */
    @Test
    void looksAgainIfItIsWokenDuringALook() throws InterruptedException {
        CountDownLatch two = new CountDownLatch(2);
        AtomicReference<PoolThreads.Watch> itself = new AtomicReference<>();
        try (PoolThreads.Watch watch = new PoolThreads.Watch("db.example", Duration.ofMillis(1), () -> {
            two.countDown();
            if (two.getCount() == 1) {
                itself.get().wake();
            }
            return false;
        })) {
            itself.set(watch);
            watch.wake();

            assertThat(two.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void looksUntilThereIsNothingToWatchAndAgainAfterThat() throws InterruptedException {
        AtomicInteger looks = new AtomicInteger();
        AtomicBoolean isMore = new AtomicBoolean(true);
        CountDownLatch three = new CountDownLatch(3);
        CountDownLatch asleep = new CountDownLatch(1);
        try (PoolThreads.Watch watch = new PoolThreads.Watch("db.example", Duration.ofMillis(1), () -> {
            looks.incrementAndGet();
            three.countDown();
            boolean isStill = isMore.get();
            if (!isStill) {
                asleep.countDown();
            }
            return isStill;
        })) {
            watch.wake();
            watch.wake();
            assertThat(three.await(30, TimeUnit.SECONDS)).isTrue();
            isMore.set(false);
            assertThat(asleep.await(30, TimeUnit.SECONDS)).isTrue();
            int before = looks.get();
            assertThat(before).isGreaterThanOrEqualTo(3);

            TimeUnit.MILLISECONDS.sleep(50);
            assertThat(looks).hasValue(before);
            isMore.set(true);
            watch.wake();
            await().until(() -> looks.get() > before);
        }
    }
}
