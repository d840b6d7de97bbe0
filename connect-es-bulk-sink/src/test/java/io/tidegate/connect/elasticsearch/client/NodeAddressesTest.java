package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class NodeAddressesTest {
    private final AtomicLong now = new AtomicLong();
    private final Deque<List<String>> resolver = new ArrayDeque<>();
    private final NodeAddresses addresses = new NodeAddresses(List.of("es", "es"), this::lookUp, now::get);

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
        addresses.refresh();

        assertThat(List.of(next(), next(), next())).containsExactly("10.0.0.1", "10.0.0.2", "10.0.0.1");
    }

    @Test
    void areLookedUpAgainWhenTheyAreNoLongerFresh() throws UnknownHostException {
        resolver.add(List.of("10.0.0.1"));
        resolver.add(List.of("10.0.0.2"));
        addresses.refresh();
        addresses.refresh();
        assertThat(next()).isEqualTo("10.0.0.1");

        now.addAndGet(NodeAddresses.FRESH.toNanos());
        addresses.refresh();
        assertThat(next()).isEqualTo("10.0.0.2");
    }

    @Test
    void stayInUseWhileTheResolverKnowsNone() throws UnknownHostException {
        resolver.add(List.of("10.0.0.1"));
        resolver.add(List.of());
        addresses.refresh();
        now.addAndGet(NodeAddresses.FRESH.toNanos());
        addresses.refresh();
        assertThat(next()).isEqualTo("10.0.0.1");
    }

    @Test
    void ofAnUnknownNameFailWithoutWaiting() {
        resolver.add(List.of());
        addresses.refresh();
        assertThatThrownBy(() -> addresses.resolve("es"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("es");
    }

    @Test
    void areUsedByOthersWhileOneLooksThemUpAgain() throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch answer = new CountDownLatch(1);
        NodeAddresses slow = new NodeAddresses(
                List.of("es"),
                host -> {
                    asked.countDown();
                    if (asked.getCount() == 0) {
                        waitFor(answer);
                    }
                    return new InetAddress[] {InetAddress.getLoopbackAddress()};
                },
                now::get);
        slow.refresh();
        now.addAndGet(NodeAddresses.FRESH.toNanos());
        CompletableFuture<Void> other = CompletableFuture.runAsync(slow::refresh);
        waitFor(asked);

        slow.refresh();
        assertThat(slow.resolve("es")).hasSize(1);

        answer.countDown();
        other.get(30, TimeUnit.SECONDS);
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
