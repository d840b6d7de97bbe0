package io.tidegate.connect.jsonb.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.spi.BatchWriter;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.Target;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.PostgresStore;
import io.tidegate.connect.jsonb.PostgresTargetType;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch that is larger than what sockets buffer, when what is between the sink and the server stops reading. */
final class StalledWriteIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    /** Sender and receiver may buffer 10 MB. */
    private static final int BATCH_BYTES = 32 << 20;

    private static final int DOCUMENT_BYTES = 64 << 10;

    private final PostgresServer server =
            PostgresServer.builder().fastStart().withTls().build();
    private PostgresStore store;

    @BeforeEach
    void start() {
        server.start();
        store = new PostgresStore(server);
        store.execute("CREATE TABLE t (doc jsonb)");
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Without TLS and with it. The time-outs are beyond a test's patience: only the abort ends the write. */
    @ParameterizedTest
    @ValueSource(strings = {"disable", "require"})
    void anAbortBlocksNobodyAndTheNextAttemptWrites(String sslMode) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                Target target = new PostgresTargetType().open(props(proxy, sslMode, "3600000"));
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(Documents.append(0, "t", "{}")))).isEmpty();
            CompletableFuture<List<Refusal>> stalled =
                    CompletableFuture.supplyAsync(() -> write(writer, swallowedBy(proxy)));
            awaitStalled();

            CompletableFuture.runAsync(writer::abort).get(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThatThrownBy(() -> stalled.get(SOON.toSeconds(), TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(Exception.class)
                    .hasCauseInstanceOf(WriteException.class);
            proxy.passOn();

            assertThat(writer.write(batch())).isEmpty();
            assertThat(store.column("SELECT count(*) FROM t WHERE doc ? 'text'"))
                    .containsExactly(Integer.toString(BATCH_BYTES / DOCUMENT_BYTES));
        }
    }

    /** Nobody aborts: the time-out for a statement ends it, although it is not an answer that is missing. */
    @ParameterizedTest
    @ValueSource(strings = {"disable", "require"})
    void theTimeOutOfAStatementEndsTheWriteAndTheNextAttemptWrites(String sslMode) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                Target target = new PostgresTargetType().open(props(proxy, sslMode, "1000"));
                BatchWriter writer = target.openWriter(0)) {
            assertThat(writer.write(List.of(Documents.append(0, "t", "{}")))).isEmpty();
            CompletableFuture<List<Refusal>> stalled =
                    CompletableFuture.supplyAsync(() -> write(writer, swallowedBy(proxy)));

            assertThatThrownBy(() -> stalled.get(SOON.toSeconds(), TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(WriteException.class, e -> assertThat(e.failure())
                            .as("as for a late answer")
                            .isEqualTo(Failure.TOO_MUCH));
            proxy.passOn();

            assertThat(writer.write(List.of(Documents.append(1, "t", "{}")))).isEmpty();
        }
    }

    /** A batch that is looked at only once a connection is borrowed, which the pool may check before. */
    private static List<Document> swallowedBy(TcpProxy proxy) {
        List<Document> documents = batch();
        AtomicBoolean isSwallowed = new AtomicBoolean();
        return new AbstractList<>() {
            @Override
            public Document get(int index) {
                if (isSwallowed.compareAndSet(false, true)) {
                    proxy.swallow();
                }
                return documents.get(index);
            }

            @Override
            public int size() {
                return documents.size();
            }
        };
    }

    private static List<Refusal> write(BatchWriter writer, List<Document> batch) {
        try {
            return writer.write(batch);
        } catch (WriteException e) {
            throw new CompletionException(e);
        }
    }

    /** Waits until the writing thread is in the system's write, which does not return. */
    private static void awaitStalled() {
        Awaitility.await()
                .during(Duration.ofSeconds(1))
                .atMost(SOON)
                .until(() -> Thread.getAllStackTraces().values().stream()
                        .anyMatch(stack ->
                                isIn(stack, "WatchedSocket", "write") && isIn(stack, "StalledWriteIT", "write")));
    }

    private static boolean isIn(StackTraceElement[] stack, String type, String method) {
        for (StackTraceElement element : stack) {
            if (element.getClassName().contains(type) && element.getMethodName().equals(method)) {
                return true;
            }
        }
        return false;
    }

    private Map<String, String> props(TcpProxy proxy, String sslMode, String socketTimeout) {
        return Map.of(
                "connection.url",
                "jdbc:postgresql://%s:%d/%s?sslmode=%s"
                        .formatted(proxy.host(), proxy.port(), server.database(), sslMode),
                "connection.user",
                server.user(),
                "connection.password",
                server.password(),
                "socket.timeout.ms",
                socketTimeout,
                "insert.method",
                "unnest"); // a COPY would wait for an answer before it sends rows
    }

    private static List<Document> batch() {
        String json = "{\"text\": \"" + "x".repeat(DOCUMENT_BYTES) + "\"}";
        List<Document> batch = new ArrayList<>();
        for (int i = 1; i <= BATCH_BYTES / DOCUMENT_BYTES; i++) {
            batch.add(Documents.append(i, "t", json));
        }
        return batch;
    }
}
