package io.tidegate.connect.check.run;

import io.tidegate.connect.check.oracle.AvroValues;
import io.tidegate.connect.check.oracle.Difference;
import io.tidegate.connect.check.oracle.Observed;
import io.tidegate.connect.check.oracle.Oracle;
import io.tidegate.connect.check.oracle.Pass;
import io.tidegate.connect.check.oracle.Promises;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.plan.Payload;
import io.tidegate.connect.check.plan.Step;
import io.tidegate.connect.testkit.net.RestException;
import io.tidegate.connect.testkit.net.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Runs one case on the servers of a {@link Lab}. Thread-safe. */
public final class CaseRunner {
    /** In the trace of a connector that failed in Connect, before the sink was called (seen with 4.3.1). */
    private static final String WITHOUT_CONFIG = "because \"connProps\" is null";

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int MOST_LEFTOVERS_AT_ONCE = 3;
    private static final int AUDITED = 3; // each third case, because an audit takes as long as a short case

    private final Lab lab;
    private final Map<String, SinkKind> sinks;
    private final Map<String, Happening> happenings;
    private final AtomicInteger number = new AtomicInteger();
    private final Queue<Leftover> leftovers = new ConcurrentLinkedQueue<>();

    public CaseRunner(Lab lab, Map<String, SinkKind> sinks, Map<String, Happening> happenings) {
        this.lab = lab;
        this.sinks = Map.copyOf(sinks);
        this.happenings = Map.copyOf(happenings);
    }

    /** Runs the case under a new name. Anything but an interrupt becomes part of the outcome. */
    public Outcome run(CheckCase planned) throws InterruptedException {
        long start = System.nanoTime();
        SinkKind sink = sinks.get(planned.sink());
        StoreAccess store = lab.store(sink.store());
        String name = "c" + number.incrementAndGet();
        try (TcpProxy proxy = store.proxy()) {
            Map<String, String> settings = settings(sink, store.address(proxy), planned.settingsOf(name));
            Payload payload = new Payload(AvroValues.SCHEMA, lab::schemaId);
            RunningCase running = new RunningCase(lab, planned, name, proxy, payload, settings);
            try {
                return run(running, sink, store, start);
            } finally {
                cleanUp(running, store);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (Thread.interrupted()) {
                throw (InterruptedException) new InterruptedException().initCause(e);
            }
            return new Outcome(
                    planned, List.of(), Optional.of("the checker itself failed: " + trace(e)), List.of(), since(start));
        }
    }

    private static String trace(Exception e) {
        return e + " at " + (e.getStackTrace().length > 0 ? e.getStackTrace()[0] : "?");
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private Map<String, String> settings(SinkKind sink, Map<String, String> address, Map<String, String> drawn) {
        Map<String, String> all = new LinkedHashMap<>(sink.base());
        all.putAll(drawn);
        if (drawn.getOrDefault("value.format", "connect").equals("avro")) {
            all.put("schema.registry.url", lab.registry().url().toString());
        }
        all.replaceAll((key, value) -> {
            String filled = value;
            for (Map.Entry<String, String> part : address.entrySet()) {
                filled = filled.replace("${" + part.getKey() + "}", part.getValue());
            }
            return filled;
        });
        return all;
    }

    private Outcome run(RunningCase running, SinkKind sink, StoreAccess store, long start) throws Exception {
        CheckCase planned = running.planned();
        int before = lab.faults();
        Optional<String> failure = Optional.empty();
        Optional<String> unfinished = Optional.empty();
        boolean isWithoutTasks = false;
        running.createTopics();
        store.prepare(planned, running.name());
        List<Step> steps = new ArrayList<>(planned.steps());
        if (planned.early() && !steps.isEmpty()) {
            running.send(steps.remove(0).send());
        }
        try {
            running.configure(running.settings());
        } catch (RestException e) {
            List<String> felt = lab.felt(before);
            boolean isWrong = e.status() == BAD_REQUEST && felt.isEmpty();
            return new Outcome(
                    planned,
                    isWrong ? List.of(new Difference(Difference.Kind.SETTINGS_REFUSED, e.getMessage())) : List.of(),
                    isWrong ? Optional.empty() : Optional.of(e.getMessage()),
                    felt,
                    since(start));
        }
        try {
            for (Step step : steps) {
                running.send(step.send());
                if (!step.happening().isEmpty()) {
                    happenings.get(step.happening()).happen(running, new Random(step.choice()));
                }
            }
            running.settle();
        } catch (RunningCase.TaskFailed e) {
            failure = Optional.of(e.getMessage());
        } catch (RunningCase.Unfinished e) {
            unfinished = Optional.of(e.getMessage());
            isWithoutTasks = e.isWithoutTasks();
        }
        Promises promises = sink.promises(planned, planned.settingsOf(running.name()));
        List<String> felt = lab.felt(before);
        boolean overlapped = Stream.concat(felt.stream(), planned.happenings().stream())
                .anyMatch(name -> happenings.get(name).isFollowedByLateWrites());
        if (overlapped
                && promises.delivery() == Promises.Delivery.AT_LEAST_ONCE
                && running.passes().stream().anyMatch(Pass::storeEmptied)) {
            String reason = "a paused worker may have written late to the store, which was emptied";
            return new Outcome(planned, List.of(), Optional.of(reason), felt, since(start));
        }
        if (overlapped && isWithoutTasks) {
            String reason = "Connect runs the connector without tasks since a worker was paused";
            return new Outcome(planned, List.of(), Optional.of(reason), felt, since(start));
        }
        boolean disturbed = !felt.isEmpty() || !planned.happenings().isEmpty();
        if (disturbed && failure.filter(trace -> trace.contains(WITHOUT_CONFIG)).isPresent()) {
            String reason = "a worker started the connector before it knew its configuration";
            return new Outcome(planned, List.of(), Optional.of(reason), felt, since(start));
        }
        Observed observed = new Observed(
                store.read(planned, running.name()), running.letters(), failure, unfinished, disturbed, overlapped);
        List<Difference> differences = new ArrayList<>(new Oracle(promises).compare(running.passes(), observed));
        differences.addAll(running.noticed());
        if (differences.isEmpty() && isAudited(sink, planned)) {
            differences.addAll(AuditorsWord.check(running, promises, new Random(planned.seed()), () -> !lab.felt(before)
                    .isEmpty()));
        }
        return new Outcome(planned, differences, Optional.empty(), felt, since(start));
    }

    private static boolean isAudited(SinkKind sink, CheckCase planned) {
        return sink.hasAuditor() && planned.seed() % AUDITED == 0;
    }

    /** Removes the case, and earlier ones that met a server that was away: their connectors would go on for ever. */
    private void cleanUp(RunningCase running, StoreAccess store) throws InterruptedException {
        leftovers.add(new Leftover(running, store));
        for (int i = 0; i < MOST_LEFTOVERS_AT_ONCE; i++) {
            Leftover next = leftovers.poll();
            if (next != null && !isRemoved(next)) {
                leftovers.add(next);
            }
        }
    }

    private boolean isRemoved(Leftover leftover) throws InterruptedException {
        String name = leftover.running().name();
        try {
            deleteConnector(leftover.running());
            leftover.store().drop(leftover.running().planned(), name);
            for (String topic : leftover.running().partitions().keySet()) {
                deleteTopic(topic);
            }
            deleteTopic(name + "-dlq");
            lab.kafka().deleteGroup(name);
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            return false; // it is tried again after the next case
        }
    }

    private static void deleteConnector(RunningCase running) {
        try {
            running.rest().delete(running.name());
        } catch (RestException e) {
            if (e.status() != NOT_FOUND) {
                throw e;
            }
        }
    }

    private void deleteTopic(String topic) throws ExecutionException, InterruptedException {
        try {
            lab.kafka().deleteTopics(List.of(topic));
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                throw e;
            }
        }
    }

    /** What a case has made on the servers. */
    private record Leftover(RunningCase running, StoreAccess store) {}
}
