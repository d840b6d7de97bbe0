package io.tidegate.connect.jsonb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the driver says of servers that it cannot log in to. */
final class LoginGraceIT {
    private static final PostgresServer ELSEWHERE = PostgresServer.builder()
            .fastStart()
            .serverCertificate(request -> request.hosts("elsewhere"))
            .build();
    private static final PostgresServer PLAIN =
            PostgresServer.builder().fastStart().setting("ssl", "off").build();

    private final AtomicLong now = new AtomicLong();
    private final LoginGrace grace = new LoginGrace(now::get, false);

    @BeforeAll
    static void start() {
        ELSEWHERE.start();
        PLAIN.start();
    }

    @AfterAll
    static void close() {
        ELSEWHERE.close();
        PLAIN.close();
    }

    private static SQLException refusal(String fault) {
        return catchThrowableOfType(
                SQLException.class, () -> DriverManager.getConnection(url(fault), ELSEWHERE.user(), password(fault)));
    }

    private static String password(String fault) {
        return switch (fault) {
            case "no password" -> "";
            case "wrong password" -> "wrong";
            default -> ELSEWHERE.password();
        };
    }

    private static String url(String fault) {
        return switch (fault) {
            case "other authority" -> ELSEWHERE.jdbcUrl() + "?sslmode=verify-ca&sslrootcert=" + PLAIN.caCertificate();
            case "other name" -> ELSEWHERE.jdbcUrl() + "?sslmode=verify-full&sslrootcert=" + ELSEWHERE.caCertificate();
            case "no such file" -> ELSEWHERE.jdbcUrl() + "?sslmode=verify-ca&sslrootcert=/no/such/file";
            case "no TLS" -> PLAIN.jdbcUrl() + "?sslmode=require";
            case "nobody listens" -> "jdbc:postgresql://127.0.0.1:1/postgres";
            default -> ELSEWHERE.jdbcUrl();
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"other authority", "other name", "no such file", "no TLS", "no password"})
    void faultsOfAConfigurationThatNeverWorkedAreBorneForAWhile(String fault) {
        SQLException refusal = refusal(fault);
        assertThatObject(grace.judge(refusal)).isSameAs(refusal);
        assertThat(PostgresFailures.classifyWithoutRows(refusal)).isEqualTo(Failure.TRANSIENT);

        now.addAndGet(LoginGrace.GRACE.toNanos());

        SQLException judged = grace.judge(refusal);
        assertThat(PostgresFailures.classifyWithoutRows(judged)).isEqualTo(Failure.FATAL);
        assertThat(PostgresFailures.describe(judged))
                .startsWith(refusal.getMessage())
                .contains("nothing has ever been connected with this configuration", "sslrootcert");
        assertThat(PostgresFailures.classifyWithoutRows(
                        new SQLTransientConnectionException("no connection", judged.getSQLState(), judged)))
                .isEqualTo(Failure.FATAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"other authority", "other name", "no such file", "no TLS", "no password"})
    void faultsOfAConfigurationThatWorkedAreBorne(String fault) {
        SQLException refusal = refusal(fault);
        grace.opened();
        assertThatObject(grace.judge(refusal)).isSameAs(refusal);
        now.addAndGet(10 * LoginGrace.GRACE.toNanos());

        assertThatObject(grace.judge(refusal)).isSameAs(refusal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody listens", "wrong password"})
    void anotherErrorIsLeftAsItIs(String fault) {
        SQLException error = refusal(fault);
        assertThatObject(grace.judge(error)).isSameAs(error);
        now.addAndGet(10 * LoginGrace.GRACE.toNanos());

        assertThatObject(grace.judge(error)).isSameAs(error);
    }

    @Test
    void anOutageInBetweenBeginsTheTimeAnew() {
        SQLException refusal = refusal("no TLS");
        assertThatObject(grace.judge(refusal)).isSameAs(refusal);
        SQLException outage = refusal("nobody listens");
        now.addAndGet(LoginGrace.GRACE.toNanos());
        assertThatObject(grace.judge(outage)).isSameAs(outage);

        assertThatObject(grace.judge(refusal)).isSameAs(refusal);
    }
}
