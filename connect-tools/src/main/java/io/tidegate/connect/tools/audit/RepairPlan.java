package io.tidegate.connect.tools.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What a repair would change, and how much it leaves alone. It keeps no more changes than it may make. */
final class RepairPlan {
    private final int max;
    private final List<Finding> changes = new ArrayList<>();
    private final Map<String, Long> left = new LinkedHashMap<>();
    private long size;

    /**
     * An empty plan.
     *
     * @param max how many changes a repair may make
     */
    RepairPlan(int max) {
        this.max = max;
    }

    void add(Finding finding) {
        if (!finding.remedy().changesStore()) {
            left.merge(finding.remedy().reason(), 1L, Long::sum);
            return;
        }
        size++;
        if (size <= max) {
            changes.add(finding);
        }
    }

    /**
     * The same without what must be left alone nevertheless.
     *
     * @param objections why a finding must be; empty if it need not
     */
    RepairPlan without(Function<Finding, Optional<String>> objections) {
        RepairPlan plan = new RepairPlan(max);
        plan.left.putAll(left);
        for (Finding change : changes) {
            Optional<String> objection = objections.apply(change);
            plan.add(objection.isPresent() ? change.left(objection.get()) : change);
        }
        plan.size += size - changes.size(); // those that are not kept
        return plan;
    }

    /** How many changes there are, more than {@link #changes} if they are too many. */
    long size() {
        return size;
    }

    List<Finding> changes() {
        return changes;
    }

    /** How many findings are left alone, by reason. */
    Map<String, Long> left() {
        return left;
    }
}
