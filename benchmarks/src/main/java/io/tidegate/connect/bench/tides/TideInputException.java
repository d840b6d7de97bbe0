package io.tidegate.connect.bench.tides;

/** An input file that cannot be read or understood; the message is one line and names file and position. */
public final class TideInputException extends Exception {
    private static final long serialVersionUID = 1L;

    TideInputException(String message) {
        super(message);
    }

    TideInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
