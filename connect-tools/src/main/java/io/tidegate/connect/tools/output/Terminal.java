package io.tidegate.connect.tools.output;

import java.io.Console;

/** Whether somebody is looking. */
final class Terminal {
    private Terminal() {}

    /** The launcher says so; without it, Java does. From Java 22 on there is a console even without a terminal. */
    @SuppressWarnings("SystemConsoleNull") // both meanings are read
    static boolean isPresent() {
        if (System.getProperty("tidegate.columns") != null) {
            return true;
        }
        Console console = System.console();
        try {
            return console != null
                    && (Runtime.version().feature() < 22
                            || Boolean.TRUE.equals(
                                    Console.class.getMethod("isTerminal").invoke(console)));
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
