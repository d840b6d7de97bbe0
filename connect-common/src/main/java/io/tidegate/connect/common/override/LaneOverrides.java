package io.tidegate.connect.common.override;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.override.ErrorOverride.Action;
import io.tidegate.connect.common.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * What the overrides of a task say about an error now: a retry may have a time limit, which begins when the error first
 * meets a record. A restart of the task begins it again. One lane uses it.
 */
public final class LaneOverrides {
    private final ErrorOverrides overrides;
    private final Clock clock;
    private final Map<Object, FirstRefusal> first = new WeakHashMap<>();

    private record FirstRefusal(String code, long at) {}

    public LaneOverrides(ErrorOverrides overrides, Clock clock) {
        this.overrides = requireNonNull(overrides, "overrides");
        this.clock = requireNonNull(clock, "clock");
    }

    /** Whether every error is handled as the failure table says. */
    public boolean isEmpty() {
        return overrides.isEmpty();
    }

    /** What the operator wants at such an error, whether or not its time is over. */
    public Optional<Action> wanted(List<String> codes) {
        return overrides.of(codes).map(ErrorOverride::action);
    }

    /**
     * What to do now; empty to do what the failure table says.
     *
     * @param met what the error met: a document, or what else keeps its identity from attempt to attempt
     * @param codes of the error in their canonical form, the most specific one first
     * @param error the server's code and reason for the log; never the content of a record
     */
    public Optional<Action> now(Object met, List<String> codes, String error) {
        Optional<ErrorOverride> found = overrides.of(codes);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ErrorOverride override = found.get();
        overrides.say(override, error);
        return override.time().isPresent() && isOver(met, override) ? Optional.empty() : Optional.of(override.action());
    }

    private boolean isOver(Object met, ErrorOverride override) {
        long now = clock.nanoTime();
        FirstRefusal known = first.get(met);
        if (known == null || !known.code().equals(override.code())) {
            known = new FirstRefusal(override.code(), now);
            first.put(met, known);
        }
        return now - known.at() >= override.time().orElseThrow().toNanos();
    }

    /** The next error that meets this is the first one. */
    public void passed(Object met) {
        first.remove(met);
    }
}
