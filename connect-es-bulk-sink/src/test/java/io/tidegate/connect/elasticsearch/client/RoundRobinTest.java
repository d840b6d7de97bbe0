package io.tidegate.connect.elasticsearch.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.http.HttpHost;
import org.elasticsearch.client.Node;
import org.junit.jupiter.api.Test;

final class RoundRobinTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger forgotten = new AtomicInteger();
    private final RoundRobin nodes = new RoundRobin(host -> true, now::get);

    RoundRobinTest() {
        nodes.forgetFailuresBy(forgotten::incrementAndGet);
    }

    /** The nodes that get so many requests, of those that have not failed. */
    private String select(int requests, String... living) {
        StringBuilder chosen = new StringBuilder();
        for (int i = 0; i < requests; i++) {
            List<Node> offered = new ArrayList<>();
            for (String host : living) {
                offered.add(new Node(new HttpHost(host)));
            }
            nodes.select(offered);
            assertThat(offered).hasSize(1);
            chosen.append(offered.get(0).getHost().getHostName());
        }
        return chosen.toString();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void eachNodeHasItsTurn() {
        assertThat(select(6, "a", "b", "c")).isEqualTo("abcabc");
    }

    /** The REST client would leave it out for up to half an hour. */
    @Test
    void aNodeIsLeftOutForAMinute() {
        select(2, "a", "b");
        pass(Duration.ofSeconds(59));
        select(1, "b");
        assertThat(forgotten).hasValue(0);

        pass(Duration.ofSeconds(1));
        select(3, "b");

        assertThat(forgotten).hasValue(1);
        pass(Duration.ofSeconds(60));
        select(1, "b");
        assertThat(forgotten).as("it is not offered yet").hasValue(2);
    }

    /** Or a node that hangs would hold up all lanes each time that it comes back. */
    @Test
    void aNodeThatComesBackGetsOneRequestUntilItHasAnswered() {
        select(2, "a", "b");
        select(2, "b");

        assertThat(select(10, "a", "b")).containsOnlyOnce("a");

        nodes.answered(new HttpHost("a"));
        assertThat(select(10, "a", "b").replace("b", "")).isEqualTo("aaaaa");
    }

    /** The REST client's own times are right then, as each of its failures was one trial. */
    @Test
    void aNodeThatFailsOnTrialIsLeftOutForLonger() {
        select(2, "a", "b");
        select(1, "b");
        select(2, "a", "b"); // the trial
        select(1, "b");
        pass(Duration.ofMinutes(9));
        select(1, "b");
        assertThat(forgotten).hasValue(0);

        pass(Duration.ofMinutes(1));
        select(1, "b");
        assertThat(forgotten).hasValue(1);

        select(1, "a", "b");
        nodes.answered(new HttpHost("a"));
        select(1, "b");
        pass(Duration.ofMinutes(1));
        select(1, "b");
        assertThat(forgotten).hasValue(2);
    }

    @Test
    void theFirstRequestMayHaveBeenCancelled() {
        select(2, "a", "b");
        select(2, "b");
        assertThat(select(4, "a", "b")).containsOnlyOnce("a");

        pass(Duration.ofSeconds(30));

        assertThat(select(4, "a", "b")).containsOnlyOnce("a");
    }

    @Test
    void aNodeOnTrialIsUsedIfThereIsNoOther() {
        select(2, "a", "b");
        select(1, "b");
        assertThat(select(2, "a", "b")).contains("a");

        assertThat(select(3, "a")).isEqualTo("aaa");
    }
}
