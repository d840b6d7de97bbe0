package io.tidegate.connect.bench;

/** Something that the user can mend: the message says what, in the fewest lines that suffice. */
public final class BenchException extends Exception {
    private static final long serialVersionUID = 1L;

    public BenchException(String message) {
        super(message);
    }

    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
