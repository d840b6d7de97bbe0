package io.tidegate.connect.tools.redrive;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What a run does with each letter from the group's offsets on. Pure.
 *
 * @param connector whose letters these are
 * @param attempts how often a record is redriven
 * @param positions of the group when the run began
 * @param skipsUnsure whether letters in doubt are taken for written
 */
record Plan(
        Choice choice, String connector, int attempts, Map<TopicPartition, Position> positions, boolean skipsUnsure) {
    /** What is done with a letter. */
    enum Step {
        /** Another connector's run reads it, with a group of its own. */
        PASS_OTHERS,
        /** It stays in the queue, because nothing can write it. */
        PASS_WITHOUT_ORIGIN,
        /** It counts as written. */
        PASS_UNSURE,
        /** It goes to the parking topic. */
        PARK_LEFT_OUT,
        /** It goes to the parking topic. */
        PARK_SPENT,
        WRITE
    }

    Plan {
        requireNonNull(choice, "choice");
        requireNonNull(connector, "connector");
        positions = Map.copyOf(positions);
    }

    Step of(Letter letter) {
        if (letter.origin().isEmpty()) {
            return Step.PASS_WITHOUT_ORIGIN;
        }
        if (!letter.connector().isEmpty() && !letter.connector().equals(connector)) {
            return Step.PASS_OTHERS;
        }
        if (skipsUnsure && isUnsure(letter)) {
            return Step.PASS_UNSURE;
        }
        if (!choice.fits(letter)) {
            return Step.PARK_LEFT_OUT;
        }
        return letter.refusals() > attempts ? Step.PARK_SPENT : Step.WRITE;
    }

    /** Whether a run may have written this letter before it was cut off. */
    boolean isUnsure(Letter letter) {
        return letter.offset()
                < requireNonNull(positions.get(letter.partition())).unsureTo();
    }
}
