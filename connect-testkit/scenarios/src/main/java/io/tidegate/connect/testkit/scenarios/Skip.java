package io.tidegate.connect.testkit.scenarios;

import org.junit.jupiter.api.Assumptions;

/** Skips tests that cannot run on this machine. */
public final class Skip {
    private Skip() {}

    /** Also prints the reason to standard error, because skipped tests are easily missed in a report. */
    public static void loudly(Class<?> test, String reason) {
        System.err.println("SKIPPED " + test.getSimpleName() + ": " + reason);
        Assumptions.abort(reason);
    }
}
