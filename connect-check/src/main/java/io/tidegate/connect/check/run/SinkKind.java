package io.tidegate.connect.check.run;

import io.tidegate.connect.check.oracle.Promises;
import io.tidegate.connect.check.plan.CheckCase;
import java.util.Map;

/** A sink that can be checked. Stateless. */
public interface SinkKind {
    /** As in {@code --sink} and in {@link CheckCase#sink}. */
    String name();

    /** {@link StoreAccess#kind} of its store. */
    String store();

    /** The settings that do not depend on the case. Values have the placeholders of {@link StoreAccess#address}. */
    Map<String, String> base();

    /** Whether {@code tidegate audit} knows the sink. */
    default boolean hasAuditor() {
        return false;
    }

    /** What a case promises in a run, in which its settings have this form. */
    Promises promises(CheckCase planned, Map<String, String> settings);
}
