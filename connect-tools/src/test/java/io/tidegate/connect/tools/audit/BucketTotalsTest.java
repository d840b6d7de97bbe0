package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.tools.audit.BucketTotals.Bucket;
import io.tidegate.connect.tools.audit.Scope.Stretch;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class BucketTotalsTest {
    private static final TopicPartition TIDES = new TopicPartition("tides", 3);

    private static BucketTotals totals(long from, long to) {
        return new BucketTotals(new Scope(Map.of(TIDES, new Stretch(0, from, to, to, false)), false, false));
    }

    @Test
    void comparesCountAndHashOfABucket() {
        BucketTotals totals = totals(0, 3_000);
        totals.put(TIDES, 0, 1_000, 7);
        totals.put(TIDES, 1, 1_000, -8);
        totals.put(TIDES, 2, 999, 9);
        assertThat(totals.take(TIDES, 0, 1_000, 7)).isTrue();
        assertThat(totals.take(TIDES, 1, 1_000, 8)).isFalse();
        assertThat(totals.take(TIDES, 2, 1_000, 9)).isFalse();
    }

    @Test
    void knowsTheBucketsForWhichNothingIsExpected() {
        BucketTotals totals = totals(1_500, 4_200);
        totals.put(TIDES, 1, 500, 7);
        totals.put(TIDES, 4, 1, 5);
        assertThat(totals.take(TIDES, 1, 500, 7)).isTrue();
        assertThat(totals.rest(TIDES)).containsExactly(new Bucket(TIDES, 4));
        assertThat(totals.rest(new TopicPartition("others", 0))).isEmpty();
    }

    @Test
    void keepsFewerBucketsThanOffsetsHoweverManyThereAre() {
        assertThat(totals(0, 10).size()).isEqualTo(1_000);
        assertThat(totals(0, 10_000_000_000L).size()).isEqualTo(5_001);
    }
}
