package io.tidegate.connect.common.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.common.testing.Records;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OffsetRequestsTest {
    private final Progress first = Records.progress(0);
    private final Progress second = Records.progress(1);
    private final OffsetRequests requests = new OffsetRequests();

    @Test
    void claimsAllThatWasRequestedAtOnce() {
        requests.claim(List.of(first));
        requests.claim(List.of(second, first));

        assertThat(requests.takeClaims()).containsExactly(first, second);
        assertThat(requests.takeClaims()).isEmpty();
    }

    @Test
    void storesTheHighestOffsetOfEach() {
        requests.store(first, 7);
        requests.store(first, 5);
        requests.store(second, 1);

        assertThat(requests.takeStores()).isEqualTo(Map.of(first, 7L, second, 1L));
        assertThat(requests.takeStores()).isEmpty();
    }

    @Test
    void isPendingUntilItIsFinished() {
        assertThat(requests.arePending()).isFalse();
        requests.store(first, 7);
        assertThat(requests.areWaiting()).isTrue();

        requests.takeStores();
        assertThat(requests.areWaiting()).isFalse();
        assertThat(requests.arePending()).isTrue();

        requests.finish();
        assertThat(requests.arePending()).isFalse();
    }
}
