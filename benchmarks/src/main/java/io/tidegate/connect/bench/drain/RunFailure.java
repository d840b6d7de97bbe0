package io.tidegate.connect.bench.drain;

/** Why a run has no figures; the benchmark goes on with others. */
public final class RunFailure extends Exception {
    private static final long serialVersionUID = 1L;

    RunFailure(String reason) {
        super(reason);
    }
}
