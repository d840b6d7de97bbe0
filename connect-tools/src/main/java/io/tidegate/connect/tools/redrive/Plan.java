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
 * @param isOfLetters whether the connector itself reads letters as such, so that those of another one are not its own
 */
record Plan(
        Choice choice,
        String connector,
        int attempts,
        Map<TopicPartition, Position> positions,
        boolean skipsUnsure,
        boolean isOfLetters) {
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
        /** It goes to the parking topic: the record was a letter of another connector, which nothing writes as a record. */
        PARK_LETTER,
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
            return isOfLetters || !letter.connectors().contains(connector) ? Step.PASS_OTHERS : Step.PARK_LETTER;
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
