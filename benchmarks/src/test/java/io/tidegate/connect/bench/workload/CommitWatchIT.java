package io.tidegate.connect.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.bench.results.Measure;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.store.PostgresQueries;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A watch on a real server. */
final class CommitWatchIT {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String END_OTHERS =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend'"
                    + " AND pid <> pg_backend_pid()";

    private static PostgresQueries session(PostgresServer server) throws ToolException {
        return PostgresQueries.open("PostgreSQL", server.jdbcUrl(), server.user(), server.password());
    }

    private static boolean isRunning(CommitWatch watch) {
        try {
            watch.requireRunning();
            return true;
        } catch (ToolException e) {
            return false;
        }
    }

    private static final String INSERT = "INSERT INTO bench VALUES ('{\"p\":0,\"t\":1}')";

    /** A column with the time of the insert would change what is measured. */
    @Test
    void needsNoColumnForTheTimeOfACommit() throws Exception {
        try (PostgresServer server = PostgresServer.builder().fastStart().build()) {
            server.start();
            try (PostgresQueries other = session(server);
                    CommitWatch watch = new CommitWatch(session(server))) {
                other.execute("CREATE TABLE bench (doc jsonb NOT NULL)", INSERT, INSERT);

                assertThat(Latencies.read(other, 1, Optional.of(watch)).of(0))
                        .hasValueSatisfying(
                                all -> assertThat(all.get(Measure.LATENCY_P50)).isPositive());
            }
        }
    }

    @Test
    void refusesATransactionThatItDidNotSee() throws Exception {
        try (PostgresServer server = PostgresServer.builder().fastStart().build()) {
            server.start();
            try (PostgresQueries other = session(server)) {
                other.execute("CREATE TABLE bench (doc jsonb NOT NULL)", INSERT);
                try (CommitWatch watch = new CommitWatch(session(server))) {
                    assertThatThrownBy(() -> Latencies.read(other, 1, Optional.of(watch)))
                            .isInstanceOf(ToolException.class)
                            .hasMessageContaining("the time of a commit was not seen");
                }
            }
        }
    }

    /** Otherwise the times of inserts would pass as those of commits. */
    @Test
    void saysThatItHasEnded() throws Exception {
        try (PostgresServer server = PostgresServer.builder().fastStart().build()) {
            server.start();
            try (PostgresQueries other = session(server);
                    CommitWatch watch = new CommitWatch(session(server))) {
                watch.requireRunning();

                other.execute(END_OTHERS);
                assertThat(Poll.until(() -> !isRunning(watch), SOON)).isTrue();

                assertThatThrownBy(watch::requireRunning).hasMessageStartingWith("the times of commits are unknown: ");
            }
        }
    }
}
