package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.offset.Progress;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Behind a proxy that closes a connection whose statement takes too long, as PgBouncer does with {@code query_timeout}
 * and HAProxy with {@code timeout server}. No error says that the batch was too large.
 */
final class CutStatementIT {
    private static final int ROWS = 400;

    private static final PostgresServer SERVER =
            PostgresServer.builder().fastStart().build();
    private static final PostgresStore STORE = new PostgresStore(SERVER);

    @BeforeAll
    static void start() {
        SERVER.start();
    }

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @Timeout(value = 5, unit = TimeUnit.MINUTES) // without smaller parts it would go on for ever
    @ParameterizedTest
    @ValueSource(strings = {"values", "unnest", "copy"})
    void writesABatchInPartsThatTheProxyDoesNotCut(String method) {
        String table = "slow_" + method;
        STORE.execute("CREATE TABLE " + table + " (id bigserial, doc jsonb)");
        STORE.execute("CREATE FUNCTION wait_" + method + "() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$BEGIN PERFORM pg_sleep(0.01); RETURN NEW; END$$");
        STORE.execute("CREATE TRIGGER wait BEFORE INSERT ON " + table + " FOR EACH ROW EXECUTE FUNCTION wait_" + method
                + "()");
        try (TcpProxy proxy = TcpProxy.to(SERVER.host(), SERVER.port())) {
            proxy.cutAfterSilence(Duration.ofSeconds(1)); // before the 100th row
            Map<String, String> settings = new HashMap<>(STORE.connected(Map.of("insert.method", method)));
            settings.put(
                    "connection.url",
                    "jdbc:postgresql://%s:%d/%s".formatted(proxy.host(), proxy.port(), SERVER.database()));

            assertThat(DeliveredDocuments.refusals(settings, rows(table))).isEmpty();
        }
        // The server commits what it began, so that rows of a statement that was cut are there twice.
        assertThat(STORE.column("SELECT count(DISTINCT doc) FROM " + table)).containsExactly(Integer.toString(ROWS));
    }

    private static List<Document> rows(String table) {
        Progress assignment = Documents.newAssignment();
        return LongStream.range(0, ROWS)
                .mapToObj(offset -> Documents.append(assignment, offset, table, "{\"n\": " + offset + "}"))
                .toList();
    }
}
