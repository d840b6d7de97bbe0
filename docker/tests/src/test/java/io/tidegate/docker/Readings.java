package io.tidegate.docker;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Sends numbered readings to the topic at a constant rate. The producer runs in a container on the stack's network; it
 * is idempotent and has {@code acks=all}. The content of a reading follows from its number. The test thread starts and
 * stops this object; a separate thread sends.
 */
final class Readings implements AutoCloseable {
    private static final int TICK_MS = 100;
    private static final int LEVELS = 997;
    private static final double MILLIMETRE = 0.001;
    /** Records have keys, so that all partitions get records all the time. */
    private static final char KEY_END = '\t';

    private static final long ENDED_S = 30;

    private final int perTick;
    private final Process producer;
    private final OutputStream lines;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private volatile ScheduledFuture<?> sending;
    private final AtomicLong sent = new AtomicLong();

    /** @param servers the brokers' addresses on the stack's network */
    Readings(Stack stack, String image, String servers, int perSecond) {
        perTick = perSecond * TICK_MS / (int) TimeUnit.SECONDS.toMillis(1);
        sending = clock.schedule(() -> {}, 0, TimeUnit.MILLISECONDS);
        List<String> command = Stream.concat(
                        Stream.of("docker", "run", "--rm", "--interactive", "--network", stack.network()),
                        Stream.of(
                                "--entrypoint",
                                "/opt/kafka/bin/kafka-console-producer.sh",
                                image,
                                "--bootstrap-server",
                                servers,
                                "--topic",
                                "readings",
                                // With the defaults, the producer gives up after seconds.
                                "--message-send-max-retries",
                                Integer.toString(Integer.MAX_VALUE),
                                "--request-timeout-ms",
                                "10000",
                                "--timeout",
                                "20",
                                "--reader-property",
                                "parse.key=true",
                                "--command-property",
                                "delivery.timeout.ms=600000"))
                .toList();
        try {
            producer = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines = producer.getOutputStream();
    }

    /** The reading with this number; the first number is 1. */
    static ObjectNode reading(long number) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("n", number)
                .put("station", "9447130")
                .put("level", number % LEVELS * MILLIMETRE);
    }

    void start() {
        sending = clock.scheduleAtFixedRate(this::send, 0, TICK_MS, TimeUnit.MILLISECONDS);
    }

    private void send() {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= perTick; i++) {
            long number = sent.get() + i;
            text.append(number).append(KEY_END).append(reading(number)).append('\n');
        }
        try {
            lines.write(text.toString().getBytes(StandardCharsets.UTF_8));
            lines.flush();
            sent.addAndGet(perTick);
        } catch (IOException e) {
            throw new UncheckedIOException("the producer has ended", e);
        }
    }

    /** The number of readings passed to the producer. */
    long sent() {
        return sent.get();
    }

    /**
     * Stops sending.
     *
     * @return the number of readings sent since the first one
     * @throws ServerException if the producer has ended
     */
    long stop() {
        if (!sending.cancel(false)) {
            throw new ServerException("no more readings could be sent: " + sending);
        }
        try {
            clock.submit(() -> {}).get();
        } catch (ExecutionException e) {
            throw new ServerException("the thread that sends readings failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("Interrupted: sending readings", e);
        }
        if (!producer.isAlive()) {
            throw new ServerException("the producer ended with status " + producer.exitValue());
        }
        return sent.get();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        try {
            lines.close();
            producer.waitFor(ENDED_S, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            producer.destroy();
        }
    }
}
