package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class NodeAddressesTest {
    private final AtomicLong now = new AtomicLong();
    private final Deque<List<String>> resolver = new ArrayDeque<>();
    private final NodeAddresses addresses =
            new NodeAddresses(List.of("es", "es"), this::lookUp, Runnable::run, now::get);

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        List<String> found = resolver.pop();
        if (found.isEmpty()) {
            throw new UnknownHostException(host);
        }
        List<InetAddress> parsed = new ArrayList<>();
        for (String each : found) {
            parsed.add(InetAddress.getByName(each));
        }
        return parsed.toArray(InetAddress[]::new);
    }

    @Test
    void areUsedInTurn() throws UnknownHostException {
        resolver.add(List.of("10.0.0.1", "10.0.0.2"));
        addresses.refreshed().join();

        assertThat(List.of(next(), next(), next())).containsExactly("10.0.0.1", "10.0.0.2", "10.0.0.1");
    }

    @Test
    void areLookedUpAgainWhenTheyAreNoLongerFresh() throws UnknownHostException {
        resolver.add(List.of("10.0.0.1"));
        resolver.add(List.of("10.0.0.2"));
        addresses.refreshed().join();
        addresses.refreshed().join();
        assertThat(next()).isEqualTo("10.0.0.1");

        now.addAndGet(NodeAddresses.FRESH.toNanos());
        addresses.refreshed().join();
        assertThat(next()).isEqualTo("10.0.0.2");
    }

    @Test
    void stayInUseWhileTheResolverKnowsNone() throws UnknownHostException {
        resolver.add(List.of("10.0.0.1"));
        resolver.add(List.of());
        addresses.refreshed().join();
        now.addAndGet(NodeAddresses.FRESH.toNanos());
        addresses.refreshed().join();
        assertThat(next()).isEqualTo("10.0.0.1");
    }

    @Test
    void ofAnUnknownNameFailWithoutWaiting() {
        resolver.add(List.of());
        addresses.refreshed().join();
        assertThatThrownBy(() -> addresses.resolve("es"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("es");
    }

    @Test
    void areUsedWhileTheyAreLookedUpAgain() throws UnknownHostException {
        List<Runnable> later = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        resolver.add(List.of("10.0.0.1"));
        resolver.add(List.of("10.0.0.2"));
        AtomicBoolean isSlow = new AtomicBoolean();
        NodeAddresses slow = new NodeAddresses(
                List.of("es"),
                this::lookUp,
                work -> {
                    if (isSlow.get()) {
                        later.add(work);
                    } else {
                        work.run();
                        done.incrementAndGet();
                    }
                },
                now::get);
        slow.refreshed().join();
        await().until(() -> done.get() == 2); // also the wait for further names
        isSlow.set(true);
        now.addAndGet(NodeAddresses.FRESH.toNanos());

        slow.refreshed().join();
        slow.refreshed().join();
        assertThat(slow.resolve("es")[0].getHostAddress()).isEqualTo("10.0.0.1");

        now.addAndGet(2 * NodeAddresses.FRESH.toNanos()); // the lookup takes longer than its answer is fresh
        later.forEach(Runnable::run);
        slow.refreshed().join();
        assertThat(later).hasSize(1);
        assertThat(slow.resolve("es")[0].getHostAddress()).isEqualTo("10.0.0.2");
    }

    @Test
    void ofOneNameAreNotWaitedForWhileAnotherHasSome() throws UnknownHostException {
        CountDownLatch never = new CountDownLatch(1);
        NodeAddresses both = new NodeAddresses(
                List.of("hangs", "es"),
                host -> {
                    if (host.equals("hangs")) {
                        waitFor(never);
                    }
                    return new InetAddress[] {InetAddress.getLoopbackAddress()};
                },
                work -> new Thread(work).start(),
                now::get);
        both.refreshed().join();
        both.refreshed().join();

        assertThat(both.areKnown("es")).isTrue();
        assertThat(both.resolve("es")).hasSize(1);
        assertThat(both.areKnown("hangs")).isFalse();
        never.countDown();
    }

    @Test
    void ofAllNamesAreWaitedForIfTheyComeSoon() {
        CountDownLatch firstIsFound = new CountDownLatch(1);
        NodeAddresses both = new NodeAddresses(
                List.of("soon", "es"),
                host -> {
                    if (host.equals("soon")) {
                        waitFor(firstIsFound);
                    }
                    return new InetAddress[] {InetAddress.getLoopbackAddress()};
                },
                work -> new Thread(work).start(),
                now::get);
        CompletableFuture<?> refreshed = both.refreshed();
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> both.areKnown("es"));
        firstIsFound.countDown();
        refreshed.join();

        assertThat(both.areKnown("soon")).isTrue();
    }

    @Test
    void ofAHostBehindAProxyAreNotAskedFor() {
        assertThat(addresses.areKnown("behind.the.proxy")).isTrue();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String next() throws UnknownHostException {
        return Arrays.stream(addresses.resolve("es"))
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElseThrow();
    }
}
