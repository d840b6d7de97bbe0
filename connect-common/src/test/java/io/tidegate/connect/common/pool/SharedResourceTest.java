package io.tidegate.connect.common.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.pool.SharedResource.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SharedResourceTest {
    private final SharedResource<String, Pool> pools = new SharedResource<>("pool");
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    private final class Pool implements AutoCloseable {
        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    private Pool open(String key) {
        opened.incrementAndGet();
        return new Pool();
    }

    @Test
    void opensOneResourceForEachKey() {
        try (Lease<Pool> first = pools.lease("a", this::open);
                Lease<Pool> second = pools.lease("a", this::open);
                Lease<Pool> third = pools.lease("b", this::open)) {
            assertThat(first.get()).isSameAs(second.get()).isNotSameAs(third.get());
            assertThat(pools.openCount()).isEqualTo(2);
            assertThat(opened).hasValue(2);
        }
    }

    @Test
    void isClosedByItsLastUser() {
        Lease<Pool> first = pools.lease("a", this::open);
        Lease<Pool> second = pools.lease("a", this::open);

        first.close();
        assertThat(closed).hasValue(0);

        second.close();
        assertThat(closed).hasValue(1);
        assertThat(pools.openCount()).isZero();
    }

    @Test
    void doesNotMindALeaseThatIsClosedTwice() {
        Lease<Pool> first = pools.lease("a", this::open);
        try (Lease<Pool> second = pools.lease("a", this::open)) {
            first.close();
            first.close();

            assertThat(second.get()).isNotNull();
            assertThat(closed).hasValue(0);
        }
        assertThat(closed).hasValue(1);
    }

    @Test
    void opensAFreshResourceAfterTheLastUserIsGone() {
        pools.lease("a", this::open).close();

        pools.lease("a", this::open).close();

        assertThat(opened).hasValue(2);
        assertThat(closed).hasValue(2);
    }

    @Test
    void leavesNothingBehindWhenOpeningFails() {
        assertThatThrownBy(() -> pools.lease("a", key -> {
                    throw new IllegalArgumentException("bad URL for " + key);
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bad URL for a");
        assertThat(pools.openCount()).isZero();

        pools.lease("a", this::open).close();
        assertThat(opened).hasValue(1);
    }

    @Test
    void survivesAResourceThatDoesNotCloseCleanly() {
        SharedResource<String, AutoCloseable> broken = new SharedResource<>("pool");

        broken.lease("a", key -> () -> {
                    throw new IllegalStateException("still in use");
                })
                .close();

        assertThat(broken.openCount()).isZero();
    }

    @Test
    void sharesAmongUsersThatComeAndGoAtTheSameTime() throws Exception {
        int users = 8;
        CountDownLatch begin = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(users);
        try {
            Callable<Boolean> user = () -> {
                begin.await();
                for (int i = 0; i < 500; i++) {
                    try (Lease<Pool> lease = pools.lease("a", this::open)) {
                        assertThat(lease.get()).isNotNull();
                        assertThat(pools.openCount()).isEqualTo(1);
                    }
                }
                return true;
            };
            List<Future<Boolean>> results = new ArrayList<>();
            for (int i = 0; i < users; i++) {
                results.add(threads.submit(user));
            }
            begin.countDown();
            for (Future<Boolean> result : results) {
                assertThat(result.get(20, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(closed).hasValue(opened.get());
        assertThat(pools.openCount()).isZero();
    }
}
