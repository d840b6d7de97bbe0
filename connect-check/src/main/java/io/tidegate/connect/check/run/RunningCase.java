package io.tidegate.connect.check.run;

import io.tidegate.connect.check.oracle.Difference;
import io.tidegate.connect.check.oracle.Letter;
import io.tidegate.connect.check.oracle.LoggedRecord;
import io.tidegate.connect.check.oracle.Pass;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.plan.Payload;
import io.tidegate.connect.check.plan.PlannedRecord;
import io.tidegate.connect.testkit.kafka.ConnectRest;
import io.tidegate.connect.testkit.net.RestException;
import io.tidegate.connect.testkit.net.TcpProxy;
import io.tidegate.connect.testkit.process.Poll;
import io.tidegate.connect.testkit.process.ServerException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;

/** A case while it runs: its connector, its topics, and what the connector was given so far. Used by one thread. */
public final class RunningCase {
    /** A task that hangs never ends; a machine with too much to do only makes it late. */
    private static final Duration SETTLE = Duration.ofMinutes(5);

    /** If it is drawn, records are sent in transactions. */
    private static final String ISOLATION = "consumer.override.isolation.level";

    private static final int SOME = 20;
    private static final int REQUESTS = 30;
    private static final int BAD_REQUEST = 400;
    private static final int MOST_REFUSALS = 8;
    private static final long STATUS_EVERY = TimeUnit.MILLISECONDS.toNanos(700);

    private final Lab lab;
    private final CheckCase planned;
    private final String name;
    private final TcpProxy proxy;
    private final Payload payload;
    private final Map<String, Integer> partitions = new HashMap<>();
    private final Map<TopicPartition, Long> from = new HashMap<>();
    private final List<Pass> passes = new ArrayList<>();
    private Map<String, String> settings;
    private boolean emptied;
    private boolean wentBack;
    private boolean deliveredAgain;
    private final Map<Difference.Kind, Difference> noticed = new EnumMap<>(Difference.Kind.class);

    RunningCase(
            Lab lab, CheckCase planned, String name, TcpProxy proxy, Payload payload, Map<String, String> settings) {
        this.lab = lab;
        this.planned = planned;
        this.name = name;
        this.proxy = proxy;
        this.payload = payload;
        this.settings = settings;
        planned.topics().forEach((suffix, count) -> partitions.put(topic(suffix), count));
    }

    /** A case that did not come to rest. */
    public static final class Unfinished extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean isWithoutTasks;

        Unfinished(String what, boolean isWithoutTasks) {
            super(what);
            this.isWithoutTasks = isWithoutTasks;
        }

        /** Whether Connect runs the connector, but none of its tasks. */
        boolean isWithoutTasks() {
            return isWithoutTasks;
        }
    }

    /** A connector or task that failed. */
    public static final class TaskFailed extends Exception {
        private static final long serialVersionUID = 1L;

        TaskFailed(String trace) {
            super(trace);
        }
    }

    public Lab lab() {
        return lab;
    }

    public CheckCase planned() {
        return planned;
    }

    /** The name of the connector, with which its topics, tables and indexes begin. */
    public String name() {
        return name;
    }

    /** The connector's only way to the store. */
    public TcpProxy proxy() {
        return proxy;
    }

    public StoreAccess store() {
        return lab.store(planned.facts().getOrDefault("store", "postgresql"));
    }

    public ConnectRest rest() {
        return lab.rest();
    }

    /** The topics of the case with the number of their partitions. */
    public Map<String, Integer> partitions() {
        return partitions;
    }

    /** The settings that the connector has now. */
    public Map<String, String> settings() {
        return settings;
    }

    /** The settings that the connector has now, with its name. */
    public Map<String, String> settingsWithName() {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("name", name);
        return all;
    }

    private String topic(String suffix) {
        return name + "-" + suffix;
    }

    void createTopics() {
        partitions.forEach(lab.kafka()::createTopic);
        lab.kafka().createTopic(topic("dlq"), 1);
    }

    /** Creates the connector, or gives it other settings. */
    public void configure(Map<String, String> others) {
        settings = new LinkedHashMap<>(others);
        patiently(() -> rest().putConfig(name, settings));
    }

    /**
     * Sends a request, again and again while a worker is being killed or started. Settings are refused too while the store
     * does not answer, so a refusal is thrown only when it has come several times.
     */
    private void patiently(Runnable request) {
        int refusals = 0;
        for (int left = REQUESTS; ; left--) {
            try {
                request.run();
                return;
            } catch (ServerException e) {
                if (e instanceof RestException answer && answer.status() == BAD_REQUEST) {
                    refusals++;
                }
                if (refusals == MOST_REFUSALS || left == 1) {
                    throw e;
                }
                Poll.pause(Duration.ofSeconds(1));
            }
        }
    }

    /** Waits until the connector and its tasks have been started. A new connector has no status yet. */
    public void awaitStarted() throws Unfinished {
        boolean started = Poll.until(
                () -> rest().statusIfKnown(name)
                        .filter(status -> !status.tasks().isEmpty()
                                && status.tasks().stream()
                                        .noneMatch(task -> task.state().equals("UNASSIGNED")))
                        .isPresent(),
                SETTLE);
        if (!started) {
            throw new Unfinished("the connector did not start: " + rest().statusIfKnown(name), false);
        }
    }

    /** Sends records and returns when Kafka has them. */
    public void send(List<PlannedRecord> records) throws ExecutionException, InterruptedException {
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        for (PlannedRecord record : records) {
            TopicPartition place = placeOf(record);
            ProducerRecord<byte[], byte[]> one = new ProducerRecord<>(
                    place.topic(),
                    place.partition(),
                    record.time(),
                    payload.bytes(record.key()),
                    payload.bytes(record.value()));
            Headers headers = one.headers();
            record.headers().forEach((header, text) -> headers.add(header, text.getBytes(StandardCharsets.UTF_8)));
            all.add(one);
        }
        if (hasTransactions()) {
            lab.kafka().sendInTransactions(all);
        } else {
            lab.kafka().send(all);
        }
    }

    /** Whether the connector reads only what is committed, so that offsets have gaps. */
    private boolean hasTransactions() {
        return settings.containsKey(ISOLATION);
    }

    /** For each partition the offset behind its last record. */
    public Map<TopicPartition, Long> ends() throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> ends = lab.kafka().ends(partitions);
        if (!hasTransactions()) {
            return ends;
        }
        Map<TopicPartition, Long> ofRecords = new HashMap<>();
        ends.keySet().forEach(partition -> ofRecords.put(partition, from.getOrDefault(partition, 0L)));
        lab.kafka()
                .read(ends, from)
                .forEach(record ->
                        ofRecords.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1));
        return ofRecords;
    }

    private TopicPartition placeOf(PlannedRecord record) {
        String topic = topic(record.topic());
        return new TopicPartition(topic, record.partition() % partitions.get(topic));
    }

    /** Sends some records of the case once more. */
    public void sendSome() throws ExecutionException, InterruptedException {
        sendSome(place -> true);
    }

    /** Sends some records of the case once more, if they go to these partitions. */
    public void sendSome(Predicate<TopicPartition> wanted) throws ExecutionException, InterruptedException {
        send(planned.steps().stream()
                .filter(step -> !step.send().isEmpty())
                .findFirst()
                .map(step -> step.send().subList(0, Math.min(SOME, step.send().size())))
                .orElse(List.of())
                .stream()
                .filter(record -> wanted.test(placeOf(record)))
                .toList());
    }

    /**
     * Waits until everything that was sent is committed, and begins a new pass. A test of what happens next knows then what
     * the connector was given before.
     */
    public void settle() throws Unfinished, TaskFailed, ExecutionException, InterruptedException {
        Map<TopicPartition, Long> ends = ends();
        long deadline = System.nanoTime() + SETTLE.toNanos();
        awaitCommitted(ends, deadline);
        if (mayForget()) {
            boolean isDurable;
            do {
                isDurable = isMadeDurable();
                awaitCommitted(ends, deadline);
            } while (!isDurable);
        }
        List<LoggedRecord> records = lab.kafka().read(ends, from);
        long expected = ends.entrySet().stream()
                .mapToLong(end -> end.getValue() - from.getOrDefault(end.getKey(), 0L))
                .sum();
        if (!hasTransactions() && records.size() != expected) {
            throw new IllegalStateException("read %d records of %d".formatted(records.size(), expected));
        }
        passes.add(new Pass(emptied, records));
        from.putAll(ends);
        emptied = false;
    }

    /** Whether the server may lose commits of the sink when another case kills it. */
    private boolean mayForget() {
        return settings.getOrDefault("commit.durability", "server").equals("off");
    }

    private boolean isMadeDurable() throws InterruptedException {
        try {
            store().makeDurable();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            Poll.pause(Duration.ofMillis(100)); // the store is away
            return false;
        }
    }

    private void awaitCommitted(Map<TopicPartition, Long> ends, long deadline)
            throws Unfinished, TaskFailed, ExecutionException, InterruptedException {
        long nextStatus = System.nanoTime() + STATUS_EVERY;
        Map<TopicPartition, Long> open = open(ends);
        while (!open.isEmpty()) {
            if (System.nanoTime() > nextStatus) {
                failIfFailed();
                nextStatus = System.nanoTime() + STATUS_EVERY;
            }
            if (System.nanoTime() > deadline) {
                Optional<ConnectRest.ConnectorStatus> status = rest().statusIfKnown(name);
                throw new Unfinished(
                        "after %d s these partitions are not committed to their end: %s; %s; %s"
                                .formatted(SETTLE.toSeconds(), open, status, activity()),
                        status.filter(known -> known.isRunning(0)).isPresent());
            }
            Poll.pause(Duration.ofMillis(100));
            open = open(ends);
        }
    }

    /** The partitions that are not committed to their end, neither in Kafka's group nor, if it keeps offsets, in the store. */
    private Map<TopicPartition, Long> open(Map<TopicPartition, Long> ends)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> committed = new HashMap<>(lab.kafka().committed(name));
        try {
            store().offsets(name).forEach((partition, next) -> {
                long inKafka = committed.getOrDefault(partition, 0L);
                if (inKafka > next && !wentBack && !mayForget()) {
                    notice(
                            Difference.Kind.EARLY,
                            "Kafka has offset %d of %s, and the store only %d".formatted(inKafka, partition, next));
                }
                committed.put(partition, Math.min(next, inKafka));
            });
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return Map.of(new TopicPartition(name, 0), -1L); // the store is away: the next question will show
        }
        Map<TopicPartition, Long> open = new HashMap<>();
        ends.forEach((partition, end) -> {
            if (committed.getOrDefault(partition, 0L) < end) {
                open.put(partition, committed.getOrDefault(partition, 0L));
            }
        });
        return open;
    }

    private String activity() throws InterruptedException {
        try {
            return store().activity();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return "the store does not answer: " + e.getMessage();
        }
    }

    private void failIfFailed() throws TaskFailed {
        try {
            Optional<String> failure = rest().statusIfKnown(name).flatMap(ConnectRest.ConnectorStatus::failure);
            if (failure.isPresent()) {
                throw new TaskFailed(failure.get());
            }
        } catch (ServerException e) {
            // No worker answers now, perhaps because of a fault: the next question will show.
        }
    }

    /** Says that the store was emptied, after {@link #settle}. */
    public void storeWasEmptied() {
        emptied = true;
    }

    /** Says that the store came back older than it was, so that Kafka may be ahead of it for a moment. */
    public void storeWentBack() {
        wentBack = true;
    }

    /** Reports what went wrong on the way, once for each kind: the store need not show it in the end. */
    public void notice(Difference.Kind kind, String what) {
        noticed.putIfAbsent(kind, new Difference(kind, what));
    }

    Collection<Difference> noticed() {
        return noticed.values();
    }

    /** Stops the connector and waits until it has no tasks. */
    public void stop() throws Unfinished {
        patiently(() -> rest().stop(name));
        boolean stopped = Poll.until(
                () -> rest().statusIfKnown(name)
                        .filter(status -> status.state().equals("STOPPED")
                                && status.tasks().isEmpty())
                        .isPresent(),
                SETTLE);
        if (!stopped) {
            throw new Unfinished("the connector did not stop: " + rest().statusIfKnown(name), false);
        }
    }

    public void resume() {
        patiently(() -> rest().resume(name));
    }

    /** Sets where the connector goes on, after {@link #settle} and {@link #stop}; offsets that are missing stay. */
    public void alterOffsets(Map<TopicPartition, Long> offsets) {
        patiently(() -> rest().alterOffsets(name, offsets));
        from.putAll(offsets);
        deliveredAgain = true;
    }

    /** Lets the connector begin at the start of one partition, after {@link #settle} and {@link #stop}. */
    public void resetOffset(TopicPartition partition) {
        patiently(() -> rest().resetOffset(name, partition));
        from.remove(partition);
        deliveredAgain = true;
    }

    /** Lets the connector begin at the start of its topics, after {@link #settle} and {@link #stop}. */
    public void resetOffsets() {
        patiently(() -> rest().resetOffsets(name));
        from.clear();
        deliveredAgain = true;
    }

    /** Whether offsets were set or reset, after which records are written again. */
    boolean isDeliveredAgain() {
        return deliveredAgain;
    }

    List<Pass> passes() {
        return passes;
    }

    List<Letter> letters() throws ExecutionException, InterruptedException {
        return lab.kafka().read(lab.kafka().ends(Map.of(topic("dlq"), 1)), Map.of()).stream()
                .map(RunningCase::letter)
                .toList();
    }

    private static Letter letter(LoggedRecord letter) {
        Map<String, String> headers = letter.headers();
        return new Letter(
                "%s-%s@%s"
                        .formatted(
                                headers.get("__connect.errors.topic"),
                                headers.get("__connect.errors.partition"),
                                headers.get("__connect.errors.offset")),
                headers.getOrDefault("__connect.errors.exception.message", ""));
    }
}
