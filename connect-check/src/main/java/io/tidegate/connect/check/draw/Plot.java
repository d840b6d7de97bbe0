package io.tidegate.connect.check.draw;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.plan.Step;
import io.tidegate.connect.check.run.Happening;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Draws topics, records and what happens between them. */
public final class Plot {
    private static final int MOST_PARTITIONS = 4;

    private final List<Happening> happenings;

    public Plot(List<Happening> happenings) {
        this.happenings = List.copyOf(happenings);
    }

    /** Topics with at most four partitions in all, so that the oracle can try all orders. */
    static Map<String, Integer> topics(Draw draw) {
        Map<String, Integer> topics = new TreeMap<>();
        int count = draw.pick(1, 1, 1, 2, 2, 3);
        for (String name : List.of("a", "b", "c").subList(0, count)) {
            topics.put(name, draw.between(1, MOST_PARTITIONS / count));
        }
        return topics;
    }

    /** What a transform drops. */
    static boolean transform(Draw draw, Map<String, String> settings) {
        if (draw.chance(15)) {
            settings.put("transforms", "dropnull");
            settings.put("transforms.dropnull.type", "org.apache.kafka.connect.transforms.Filter");
            settings.put("transforms.dropnull.predicate", "null");
            settings.put("predicates", "null");
            settings.put("predicates.null.type", "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone");
        } else if (draw.chance(15)) {
            settings.put("transforms", "drop");
            settings.put("transforms.drop.type", "org.apache.kafka.connect.transforms.Filter");
            settings.put("transforms.drop.predicate", "dropped");
            settings.put("predicates", "dropped");
            settings.put("predicates.dropped.type", "org.apache.kafka.connect.transforms.predicates.HasHeaderKey");
            settings.put("predicates.dropped.name", "drop");
            return true;
        }
        return false;
    }

    /** A transform that gives all records one topic. What is stored keeps the topic that they were read from. */
    static boolean route(Draw draw, Map<String, String> settings) {
        boolean isRouted = !settings.containsKey("transforms") && draw.chance(10);
        if (isRouted) {
            settings.put("transforms", "route");
            settings.put("transforms.route.type", "org.apache.kafka.connect.transforms.RegexRouter");
            settings.put("transforms.route.regex", ".*");
            settings.put("transforms.route.replacement", "${case}-routed");
        }
        return isRouted;
    }

    /** Without a dead letter topic the first record that is refused fails its task. */
    static boolean strict(Draw draw, Map<String, String> settings) {
        boolean isStrict = draw.chance(10);
        if (isStrict) {
            settings.keySet().removeIf(key -> key.startsWith("errors.deadletterqueue."));
            settings.put("errors.tolerance", "none");
        }
        return isStrict;
    }

    /** Connect's own settings. */
    static void connect(Draw draw, Map<String, String> settings, Map<String, Integer> topics) {
        settings.put("tasks.max", draw.pick("1", "1", "2", "3"));
        settings.put("errors.tolerance", "all");
        settings.put("errors.deadletterqueue.topic.name", "${case}-dlq");
        settings.put("errors.deadletterqueue.topic.replication.factor", "1");
        settings.put("errors.deadletterqueue.context.headers.enable", "true");
        if (topics.size() > 1 && draw.chance(30)) {
            settings.put("topics.regex", "${case}-[abc]");
        } else {
            settings.put(
                    "topics",
                    String.join(
                            ",",
                            topics.keySet().stream()
                                    .map(name -> "${case}-" + name)
                                    .toList()));
        }
        if (draw.chance(25)) {
            settings.put("consumer.override.max.poll.records", draw.pick("1", "3", "50"));
        }
        if (draw.chance(15)) {
            settings.put("consumer.override.isolation.level", "read_committed"); // records are sent in transactions
        }
    }

    /** The case with its steps. */
    CheckCase told(Draw draw, CheckCase settings, Story story) {
        History history = new History(draw, story);
        List<Step> steps = new ArrayList<>();
        int parts = draw.pick(1, 1, 2, 2, 3);
        for (int part = 0; part < parts; part++) {
            steps.add(Step.send(history.records(draw.pick(0, 1, 3, 10, 30, 80, 250))));
            if (part < parts - 1) {
                happening(draw, settings.withSteps(steps)).ifPresent(steps::add);
                if (draw.chance(25)) {
                    happening(draw, settings.withSteps(steps)).ifPresent(steps::add);
                }
            }
        }
        return settings.withSteps(steps);
    }

    private Optional<Step> happening(Draw draw, CheckCase sofar) {
        List<Happening> fitting = new ArrayList<>();
        for (Happening one : happenings) {
            if (one.fits(sofar)) {
                fitting.addAll(Collections.nCopies(one.weight(), one));
            }
        }
        return fitting.isEmpty()
                ? Optional.empty()
                : Optional.of(Step.happen(draw.pick(fitting).name(), draw.number()));
    }
}
