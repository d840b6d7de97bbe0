package io.tidegate.connect.bench.drain;

/** A run failed; the benchmark continues with the others. */
final class RunFailure extends Exception {
    private static final long serialVersionUID = 1L;

    RunFailure(String reason) {
        super(reason);
    }
}
