package io.tidegate.connect.bench.quickstart;

/** Ends the quickstart; the message is what the user sees, without a stack trace. */
final class QuickstartException extends Exception {
    private static final long serialVersionUID = 1L;

    QuickstartException(String message) {
        super(message);
    }

    QuickstartException(String message, Throwable cause) {
        super(message, cause);
    }
}
