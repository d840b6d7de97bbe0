package io.tidegate.connect.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against rates that follow the law exactly, and against a table that others have measured and published. */
final class UslFitTest {
    private static final Path PUBLISHED = Path.of("data/cockroachdb-22.2-confluent-jdbc.csv");

    private static UslFit published(String group) throws Exception {
        return Groups.read(PUBLISHED).stream()
                .filter(candidate -> candidate.name().equals(group))
                .findFirst()
                .flatMap(found -> UslFit.of(found.rates()))
                .orElseThrow();
    }

    @Test
    void findsTheLawBehindExactRates() {
        Usl law = new Usl(1000, 0.05, 0.002);
        List<Measured> exact = IntStream.of(1, 2, 4, 8, 16, 32)
                .mapToObj(tasks -> new Measured(tasks, law.rate(tasks)))
                .toList();

        UslFit fit = UslFit.of(exact).orElseThrow();

        assertThat(fit.law().lambda()).isCloseTo(1000, within(1e-3));
        assertThat(fit.law().sigma()).isCloseTo(0.05, within(1e-6));
        assertThat(fit.law().kappa()).isCloseTo(0.002, within(1e-7));
        assertThat(fit.law().peak()).isCloseTo(21.79, within(0.01));
        assertThat(fit.worstLeftOut()).isLessThan(1e-6);
    }

    @Test
    void findsThatTasksDoNotDisturbEachOther() {
        List<Measured> linear = IntStream.rangeClosed(1, 6)
                .mapToObj(tasks -> new Measured(tasks, tasks * 500.0))
                .toList();

        Usl law = UslFit.of(linear).orElseThrow().law();

        assertThat(law.sigma()).isCloseTo(0, within(1e-6));
        assertThat(law.peak()).isGreaterThan(100);
    }

    @Test
    void needsFourNumbersOfTasks() {
        assertThat(UslFit.of(List.of(new Measured(1, 1), new Measured(2, 2), new Measured(2, 2), new Measured(3, 3))))
                .isEmpty();
    }

    /** 18 to 90 tasks with 18558, 21231, 20485, 18393, 18043 records/s: up, and down again. */
    @Test
    void findsThePeakAndTheRetrogradePartOfThePublishedTable() throws Exception {
        UslFit fit = published("vcpus=48, batch_size=128");

        assertThat(fit.law().peak()).isBetween(30.0, 54.0);
        assertThat(fit.law().rate(fit.law().peak())).isCloseTo(21_231, within(1_000.0));
        assertThat(fit.law().rate(90)).isLessThan(fit.law().rate(54));
        assertThat(fit.meanError()).isLessThan(0.03);
    }

    @Test
    void seesThatMoreTasksOnlyMakeItSlower() throws Exception {
        for (String group :
                List.of("vcpus=96, batch_size=64", "vcpus=96, batch_size=128", "vcpus=96, batch_size=256")) {
            UslFit fit = published(group);

            assertThat(fit.law().peak()).as(group).isLessThan(fit.fewestTasks());
            assertThat(fit.law().rate(90)).as(group).isLessThan(fit.law().rate(36) * 0.8);
            assertThat(fit.meanError()).as(group).isLessThan(0.05);
        }
    }

    @Test
    void predictsPublishedPointsThatItHasNotSeen() throws Exception {
        for (int batch : new int[] {1, 16, 32, 64, 128}) {
            UslFit fit = published("vcpus=48, batch_size=" + batch);

            assertThat(fit.leftOut()).hasSize(5);
            assertThat(fit.worstLeftOut()).as("batch %d", batch).isLessThan(0.2);
        }
    }
}
