package io.tidegate.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.testkit.scenarios.Skip;
import io.tidegate.docker.Store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Sends readings for {@code -Dsoak.minutes=10} minutes with faults in random order ({@code -Dsoak.seed=1}), then
 * compares every document of every store with what was sent. Skipped without {@code -Dsoak.minutes}.
 */
final class SoakIT {
    private static final int MINUTES = Integer.getInteger("soak.minutes", 0);
    private static final long SEED = Long.getLong("soak.seed", 1);
    private static final int SHORTEST_S = 5;
    private static final int LONGEST_S = 30;

    @Test
    void everyReadingIsStoredOnceWhateverFails() throws StoreException {
        if (MINUTES == 0) {
            Skip.loudly(getClass(), "no duration is given: set -Dsoak.minutes=10");
        }
        Containers.skipWithoutThem(getClass());
        try (Ha ha = Ha.start()) {
            ha.awaitInOrder();
            ha.readings().start();
            ha.awaitStored(1); // From then on there is an index. Its primary shard may be the first to fail.
            ha.watch().begin();
            int faults = troubleForMinutes(ha);
            long sent = ha.readings().stop();
            ha.awaitStored(sent);

            System.err.printf("SOAK seed %d: %d faults in %d minutes, %d readings%n", SEED, faults, MINUTES, sent);
            for (Store store : ha.stores()) {
                Comparison result = Comparison.of(store, 0, sent);
                System.err.printf(
                        "SOAK %s: %s, at most %d s without progress%n",
                        store.name(), result, ha.watch().standstills().get(store.name()));
                assertThat(result).as(store.name()).matches(Comparison::isExact);
                assertThat(store.count()).as(store.name()).isEqualTo(sent);
            }
            assertThat(ha.watch().failures()).as("failed tasks").isEmpty();
        }
    }

    /** One fault at a time: no stack tolerates every pair of faults. */
    private static int troubleForMinutes(Ha ha) {
        Random random = new Random(SEED);
        List<Trouble> all = Trouble.all();
        long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
        int faults = 0;
        while (System.nanoTime() - end < 0 && ha.watch().failures().isEmpty()) {
            Trouble trouble = all.get(random.nextInt(all.size()));
            Duration lasts = Duration.ofSeconds(random.nextInt(SHORTEST_S, LONGEST_S));
            Duration calm = Duration.ofSeconds(random.nextInt(SHORTEST_S));
            System.err.println("SOAK " + trouble + " for " + lasts.toSeconds() + " s");
            Runnable ending = trouble.begin().apply(ha);
            ha.watch().watchFor(lasts);
            ending.run();
            ha.awaitInOrder();
            ha.watch().watchFor(calm);
            faults++;
        }
        return faults;
    }
}
