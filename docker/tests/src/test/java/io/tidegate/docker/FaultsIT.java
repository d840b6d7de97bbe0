package io.tidegate.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.docker.Store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Makes the servers of the stack {@code ha} fail one after the other while readings are sent. No task may fail, and
 * every reading must be stored exactly once in all stores. Servers are only killed, unless {@code -Dfaults=all} is set.
 * {@code -Dfaults="killed,switched over"} chooses faults, and {@code -Dfaults.of="PostgreSQL primary"} one kind of server.
 * With {@code -Dfaults=all -Dreliability.write=true} the test writes the table in docs/explanation/reliability.md.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FaultsIT {
    private static final String OF = System.getProperty("faults.of", "all");
    private static final Duration STEADY = Duration.ofSeconds(4);
    private static final Duration TROUBLED = Duration.ofSeconds(Integer.getInteger("faults.seconds", 12));

    private final FaultTable table = new FaultTable();
    private Optional<Ha> started = Optional.empty();
    private boolean inOrder;

    @BeforeAll
    void start() {
        Containers.skipWithoutThem(getClass());
        started = Optional.of(Ha.start());
        started.get().awaitInOrder();
        inOrder = true;
    }

    static List<Trouble> chosen() {
        String what = System.getProperty("faults", Fault.KILL.word());
        List<Trouble> chosen = Trouble.all().stream()
                .filter(trouble ->
                        what.equals("all") || List.of(what.split(",")).contains(trouble.what()))
                .filter(trouble -> Stream.of("all", trouble.where()).anyMatch(OF::equals))
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("-Dfaults=" + what + " is not all and not some of "
                    + Trouble.all().stream().map(Trouble::what).distinct().collect(Collectors.joining(", ")));
        }
        return chosen;
    }

    @ParameterizedTest
    @MethodSource("chosen")
    void everyReadingIsStoredOnceAndNoTaskFails(Trouble trouble) throws StoreException {
        Assumptions.assumeTrue(inOrder, "the stack has not recovered from the last fault");
        inOrder = false;
        Ha ha = started.orElseThrow();
        long before = ha.readings().sent();
        ha.readings().start();
        ha.awaitStored(before + Ha.READINGS_PER_SECOND * STEADY.toSeconds());

        ha.watch().begin();
        Runnable end = trouble.begin().apply(ha);
        ha.watch().watchFor(TROUBLED);
        end.run();
        ha.awaitInOrder();
        Map<String, Long> standstills = ha.watch().standstills();
        long sent = ha.readings().stop();
        ha.awaitStored(sent);

        Map<String, Comparison> compared = compare(ha, before, sent);
        table.add(trouble, sent - before, standstills, compared, ha.watch());
        assertThat(ha.watch().failures()).as("failed tasks").isEmpty();
        assertThat(compared)
                .allSatisfy((store, result) -> assertThat(result).as(store).matches(Comparison::isExact));
        for (Store store : ha.stores()) {
            assertThat(store.count()).as(store.name()).isEqualTo(sent);
        }
        inOrder = true;
    }

    private Map<String, Comparison> compare(Ha ha, long before, long sent) throws StoreException {
        Map<String, Comparison> compared = new LinkedHashMap<>();
        for (Store store : ha.stores()) {
            compared.put(store.name(), Comparison.of(store, before, sent));
        }
        return compared;
    }

    @AfterAll
    void stop() throws IOException {
        if (inOrder && Boolean.getBoolean("reliability.write")) {
            table.write(Stack.DOCKER.resolveSibling("docs/explanation/reliability.md"));
        }
        started.ifPresent(Ha::close);
    }
}
