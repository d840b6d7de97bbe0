package io.tidegate.connect.check.run;

import io.tidegate.connect.check.plan.CheckCase;
import java.util.Random;

/**
 * Something that happens while a case runs: an event, such as a topic that is created again, or a fault, such as a lost
 * connection. To add one, write a class, add it to {@code Happenings.ALL}, and say in {@link #fits} for which cases the oracle
 * still knows what must be stored. Stateless.
 */
public interface Happening {
    /** A short name, such as {@code partitions-added}. */
    String name();

    /**
     * Whether it may happen in a case with these settings and steps. If the store must change in a way that the oracle does
     * not know, it must not fit.
     */
    boolean fits(CheckCase sofar);

    /** How often it is drawn, compared with others. What all cases feel has a low weight. */
    default int weight() {
        return 10;
    }

    /** Whether a task may write late what it has read, while the next owner of its partitions already writes. */
    default boolean isFollowedByLateWrites() {
        return false;
    }

    /**
     * Lets it happen, and returns when the case can go on. An event that needs rest first calls {@link RunningCase#settle}.
     *
     * @param choice decides what is left open
     */
    void happen(RunningCase running, Random choice) throws Exception;
}
