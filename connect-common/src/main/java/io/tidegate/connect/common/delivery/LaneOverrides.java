package io.tidegate.connect.common.delivery;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.document.Document;
import io.tidegate.connect.common.override.ErrorOverride;
import io.tidegate.connect.common.override.ErrorOverride.Action;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.Refusal;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.common.time.Clock;
import io.tidegate.connect.common.value.RefusedException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;

/**
 * What the overrides of a task make of a failure now: a retry may have a time limit, which begins when the error first
 * meets a record, or when the record waits behind one that the error has met. A restart of the task begins it again. For
 * statements about offsets, which have no record, it begins with the first failure since an answer. One lane uses it.
 */
public final class LaneOverrides {
    private static final String OVERRIDE = "override";

    /** Destinations that are remembered, because their names may depend on records. */
    private static final int MOST_RETRIED = 1_000;

    private static final String RETRIED = "; " + ErrorOverrides.ERROR_OVERRIDES + " retries it";

    private final ErrorOverrides overrides;
    private final Clock clock;
    private final Map<Document, FirstRefusal> first = new WeakHashMap<>();
    private Optional<FirstRefusal> firstOfOffsets = Optional.empty(); // of a statement that has no document

    /** The error that is retried for a time at a destination, until it has another one. */
    private final Map<String, String> retriedCodes = new HashMap<>();

    private record FirstRefusal(String code, long at) {}

    public LaneOverrides(ErrorOverrides overrides, Clock clock) {
        this.overrides = requireNonNull(overrides, "overrides");
        this.clock = requireNonNull(clock, "clock");
    }

    /** What happens to documents that the server named. */
    public List<Refusal> applied(List<Refusal> named) {
        return overrides.isEmpty() || named.isEmpty()
                ? named
                : named.stream().map(this::applied).toList();
    }

    private Refusal applied(Refusal refusal) {
        Optional<ErrorOverride> found = overrides.of(refusal.codes());
        if (found.isEmpty()) {
            if (refusal.failure() == Failure.DESTINATION) {
                retriedCodes.remove(refusal.document().destination());
            }
            return refusal;
        }
        overrides.say(found.get(), refusal.reason().getMessage());
        Optional<Action> action = actionFor(refusal.document(), found.get());
        if (action.isEmpty()) {
            return refusal;
        }
        return switch (action.get()) {
            case RETRY -> {
                retries(refusal.document().destination(), found.get());
                yield refusal.as(Failure.DESTINATION);
            }
            case REFUSE -> refusal.as(Failure.REJECTED);
            case IGNORE, WARN -> refusal.as(Failure.SKIPPED);
            case FAIL -> failing(refusal);
        };
    }

    private static Refusal failing(Refusal refusal) {
        String message = refusal.reason().getMessage() + "; " + ErrorOverrides.ERROR_OVERRIDES + " fails the task";
        return new Refusal(refusal.document(), Failure.FATAL, refusal.codes(), RefusedException.of(OVERRIDE, message));
    }

    /**
     * What happens to the rest of an attempt. Any of the suspects may be at fault, so the time of all begins. It ends
     * when that of the first one does. An outage stays one, unless the task is to fail or a document to be refused.
     */
    public WriteException applied(WriteException e) {
        if (overrides.isEmpty()) {
            return e;
        }
        WriteException left = e.with(applied(e.refusals()));
        Optional<ErrorOverride> found = overrides.of(e.codes());
        if (found.isEmpty()) {
            e.destinations().keySet().forEach(retriedCodes::remove);
            return left;
        }
        List<Document> subjects = !e.suspects().isEmpty() ? e.suspects() : e.unwritten();
        Optional<Action> action = subjects.isEmpty()
                ? actionForOffsets(found.get())
                : subjects.stream()
                        .map(each -> actionFor(each, found.get()))
                        .toList()
                        .get(0);
        if (action.isEmpty()) {
            return left;
        }
        boolean isOutage = e.failure() != Failure.FATAL && e.failure() != Failure.REJECTED;
        return switch (action.get()) {
            case RETRY -> {
                overrides.say(found.get(), e.getMessage());
                e.suspects().forEach(suspect -> retries(suspect.destination(), found.get()));
                yield isOutage ? left : retried(left);
            }
            case REFUSE, IGNORE, WARN -> // said of each document that is found to be at fault
                e.suspects().isEmpty() ? left : left.as(Failure.REJECTED, e.getMessage(), Map.of());
            case FAIL -> {
                overrides.say(found.get(), e.getMessage());
                yield left.as(Failure.FATAL, e.getMessage(), Map.of());
            }
        };
    }

    private static WriteException retried(WriteException e) {
        String message = e.getMessage() + RETRIED;
        Map<String, String> closed = new LinkedHashMap<>(e.destinations());
        if (e.suspects().isEmpty()) {
            return e.as(Failure.TRANSIENT, message, closed);
        }
        for (Document suspect : e.suspects()) {
            closed.put(suspect.destination(), message);
        }
        return e.as(Failure.DESTINATION, message, closed);
    }

    private void retries(String destination, ErrorOverride override) {
        if (override.time().isEmpty()) {
            retriedCodes.remove(destination);
            return;
        }
        if (retriedCodes.size() == MOST_RETRIED) {
            retriedCodes.clear();
        }
        retriedCodes.put(destination, override.code());
    }

    /** A document waits for its destination, which has just failed, and so cannot meet the error that is retried there: its time begins. */
    void waits(Document document) {
        String code = retriedCodes.get(document.destination());
        if (code != null) {
            first.putIfAbsent(document, new FirstRefusal(code, clock.nanoTime()));
        }
    }

    /** A document waits because a later one with its key may still be refused: its time is that one's. */
    void waits(Document document, Document later) {
        FirstRefusal known = first.get(later);
        if (known != null) {
            first.putIfAbsent(document, known);
        }
    }

    /** A statement about offsets was answered, or is about other partitions than the one before. */
    void forgetOffsets() {
        firstOfOffsets = Optional.empty();
    }

    /** What to do now; empty to do what the failure table says. */
    private Optional<Action> actionFor(Document subject, ErrorOverride override) {
        FirstRefusal known = since(Optional.ofNullable(first.get(subject)), override);
        if (override.time().isPresent()) {
            first.put(subject, known);
        }
        return actionSince(known, override);
    }

    private Optional<Action> actionForOffsets(ErrorOverride override) {
        FirstRefusal known = since(firstOfOffsets, override);
        if (override.time().isPresent()) {
            firstOfOffsets = Optional.of(known);
        }
        return actionSince(known, override);
    }

    private FirstRefusal since(Optional<FirstRefusal> known, ErrorOverride override) {
        return known.filter(each -> each.code().equals(override.code()))
                .orElseGet(() -> new FirstRefusal(override.code(), clock.nanoTime()));
    }

    private Optional<Action> actionSince(FirstRefusal known, ErrorOverride override) {
        boolean isOver = override.time()
                .filter(time -> clock.nanoTime() - known.at() >= time.toNanos())
                .isPresent();
        return isOver ? override.then() : Optional.of(override.action());
    }
}
