package io.tidegate.connect.check.reduce;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.plan.PlannedRecord;
import io.tidegate.connect.check.plan.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes a failing case smaller while it fails: first without what happens, then with fewer records, then with fewer settings.
 * Each try runs the case, so their number is bounded. Used by one thread.
 */
public final class Reducer {
    private static final Set<String> KEPT_PREFIXES = Set.of(
            "topics", "errors.", "key.converter", "value.converter", "transforms", "predicates", "pk.", "insert.mode");

    private final Trial trial;
    private final int mostTrials;
    private int trials;

    /** Runs a case. */
    @FunctionalInterface
    public interface Trial {
        /** Whether the case fails in the same way as before. */
        boolean fails(CheckCase planned) throws InterruptedException;
    }

    public Reducer(Trial trial, int mostTrials) {
        this.trial = trial;
        this.mostTrials = mostTrials;
    }

    /** The smallest case that was found to fail. */
    public CheckCase reduce(CheckCase failing) throws InterruptedException {
        return withFewerSettings(withFewerRecords(withFewerHappenings(failing)));
    }

    /** How many cases were run. */
    public int trials() {
        return trials;
    }

    private boolean fails(CheckCase planned) throws InterruptedException {
        return trials++ < mostTrials && trial.fails(planned);
    }

    private CheckCase withFewerHappenings(CheckCase failing) throws InterruptedException {
        CheckCase smallest = failing;
        for (int i = failing.steps().size() - 1; i >= 0; i--) {
            if (!failing.steps().get(i).happening().isEmpty()) {
                List<Step> steps = new ArrayList<>(smallest.steps());
                steps.remove(i);
                CheckCase smaller = smallest.withSteps(steps);
                if (fails(smaller)) {
                    smallest = smaller;
                }
            }
        }
        return smallest;
    }

    /** Removes half of the records, then quarters, and so on. */
    private CheckCase withFewerRecords(CheckCase failing) throws InterruptedException {
        CheckCase smallest = failing;
        for (int parts = 2; smallest.records() > 1 && trials < mostTrials; ) {
            int size = Math.max(1, (smallest.records() + parts - 1) / parts);
            boolean found = false;
            for (int from = 0; from < smallest.records(); from += size) {
                CheckCase smaller = without(smallest, from, from + size);
                if (smaller.records() < smallest.records() && fails(smaller)) {
                    smallest = smaller;
                    found = true;
                    break;
                }
            }
            if (!found && size == 1) {
                break;
            }
            parts = found ? Math.max(2, parts - 1) : Math.min(parts * 2, smallest.records());
        }
        return smallest;
    }

    /** The case without the records of these numbers, counted through all steps. */
    static CheckCase without(CheckCase planned, int from, int to) {
        List<Step> steps = new ArrayList<>();
        int number = 0;
        for (Step step : planned.steps()) {
            List<PlannedRecord> kept = new ArrayList<>();
            for (PlannedRecord record : step.send()) {
                if (number < from || number >= to) {
                    kept.add(record);
                }
                number++;
            }
            steps.add(new Step(kept, step.happening(), step.choice()));
        }
        return planned.withSteps(steps);
    }

    private CheckCase withFewerSettings(CheckCase failing) throws InterruptedException {
        CheckCase smallest = failing;
        for (String key : failing.settings().keySet()) {
            if (KEPT_PREFIXES.stream().noneMatch(key::startsWith)) {
                Map<String, String> fewer = new LinkedHashMap<>(smallest.settings());
                fewer.remove(key);
                CheckCase smaller = smallest.withSettings(fewer);
                if (fails(smaller)) {
                    smallest = smaller;
                }
            }
        }
        return smallest;
    }
}
