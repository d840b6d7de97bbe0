package io.tidegate.connect.testkit.scenarios;

import org.junit.jupiter.api.Assumptions;

/** Ends tests that cannot run here. */
public final class Skip {
    private Skip() {}

    /** Says it on standard error as well: reports of skipped tests are read by nobody. */
    public static void loudly(Class<?> test, String reason) {
        System.err.println("SKIPPED " + test.getSimpleName() + ": " + reason);
        Assumptions.abort(reason);
    }
}
