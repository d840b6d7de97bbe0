package io.tidegate.connect.cli;

/** An error that the user can fix. The message is short and says what is wrong. */
public final class ToolException extends Exception {
    private static final long serialVersionUID = 1L;

    public ToolException(String message) {
        super(message);
    }

    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
