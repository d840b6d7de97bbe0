package io.tidegate.connect.check.report;

import io.tidegate.connect.check.plan.CheckCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts how often each pair of features was in one case. A feature is a setting with its value, or something that happened. Thread-safe. */
public final class Pairs {
    private static final Set<String> NAMES = Set.of(
            "topics",
            "errors.deadletterqueue.topic.name",
            "connector.class",
            "predicates.null.type",
            "predicates.dropped.type");

    private final Map<String, Integer> features = new TreeMap<>();
    private final Map<String, Integer> pairs = new TreeMap<>();

    /** The features of a case. */
    static List<String> features(CheckCase planned) {
        Set<String> features = new TreeSet<>();
        planned.settings().forEach((key, value) -> {
            if (!NAMES.contains(key) && !key.startsWith("transforms.") && !key.startsWith("predicates.")) {
                features.add(key + "=" + shown(value));
            }
        });
        planned.happenings().forEach(name -> features.add("happens=" + name));
        return new ArrayList<>(features);
    }

    /** A class without its package. */
    private static String shown(String value) {
        return value.startsWith("org.apache.") ? value.substring(value.lastIndexOf('.') + 1) : value;
    }

    public synchronized void add(CheckCase planned) {
        List<String> present = features(planned);
        for (int i = 0; i < present.size(); i++) {
            features.merge(present.get(i), 1, Integer::sum);
            for (int j = i + 1; j < present.size(); j++) {
                pairs.merge(present.get(i) + " + " + present.get(j), 1, Integer::sum);
            }
        }
    }

    /** How many pairs of a case have never met. */
    public synchronized int news(CheckCase planned) {
        List<String> present = features(planned);
        int news = 0;
        for (int i = 0; i < present.size(); i++) {
            for (int j = i + 1; j < present.size(); j++) {
                if (!pairs.containsKey(present.get(i) + " + " + present.get(j))) {
                    news++;
                }
            }
        }
        return news;
    }

    /** How often each feature was drawn. */
    public synchronized Map<String, Integer> features() {
        return new TreeMap<>(features);
    }

    /** How many pairs have met. */
    public synchronized int met() {
        return pairs.size();
    }

    /**
     * The pairs of these cases that have not met. What no draw puts together may not stand together.
     *
     * @param possible many cases, drawn but not run
     */
    public synchronized List<String> neverMet(List<CheckCase> possible) {
        Set<String> missing = new TreeSet<>();
        for (CheckCase planned : possible) {
            List<String> present = features(planned);
            for (int i = 0; i < present.size(); i++) {
                for (int j = i + 1; j < present.size(); j++) {
                    String pair = present.get(i) + " + " + present.get(j);
                    if (!pairs.containsKey(pair)) {
                        missing.add(pair);
                    }
                }
            }
        }
        return List.copyOf(missing);
    }
}
