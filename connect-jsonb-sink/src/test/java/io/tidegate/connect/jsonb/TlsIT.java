package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.write.Documents;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** TLS by the URL alone, as the recipe says, on a real PostgreSQL. */
final class TlsIT {
    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().withTls().build();
    private static final PostgresServer OTHER =
            PostgresServer.builder().fastStart().withTls().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);

    @BeforeAll
    static void start() {
        SERVER.start();
        OTHER.start();
        STORE.execute("CREATE FUNCTION is_encrypted() RETURNS boolean LANGUAGE sql AS"
                + " 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'");
        STORE.execute("CREATE TABLE t (doc jsonb, encrypted boolean DEFAULT is_encrypted())");
    }

    @AfterAll
    static void close() {
        SERVER.close();
        OTHER.close();
    }

    private static void write(String urlProperties, Duration wait) throws WriteException {
        Map<String, String> props = Map.of(
                "connection.url",
                SERVER.jdbcUrl() + urlProperties,
                "connection.user",
                SERVER.user(),
                "connection.password",
                SERVER.password(),
                "connection.pool.wait.ms",
                String.valueOf(wait.toMillis()));
        try (Target target = new PostgresTargetType().open(props);
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(Documents.append(1, "t", "{}")))).isEmpty();
        }
    }

    @Test
    void theServersNameAndAuthorityAreChecked() throws WriteException {
        write("?sslmode=verify-full&sslrootcert=" + SERVER.caCertificate(), Duration.ofMinutes(1));

        assertThat(STORE.column("SELECT encrypted FROM t")).containsExactly("t");
    }

    @Test
    void anotherAuthorityIsNotTrusted() {
        assertThatThrownBy(
                        () -> write("?sslmode=verify-full&sslrootcert=" + OTHER.caCertificate(), Duration.ofSeconds(1)))
                .isInstanceOf(WriteException.class)
                .hasMessageContaining("certif");
    }
}
