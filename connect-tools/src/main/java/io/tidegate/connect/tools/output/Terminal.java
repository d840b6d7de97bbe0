package io.tidegate.connect.tools.output;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Whether somebody is looking. */
public final class Terminal {
    private Terminal() {}

    /** Whether standard error is a terminal. The launcher says so; without it, Linux or Java does. */
    static boolean isPresent() {
        String said = System.getProperty("tidegate.stderr.terminal");
        if (said != null) {
            return Boolean.parseBoolean(said);
        }
        try {
            String errors = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return errors.startsWith("/dev/pts/") || errors.startsWith("/dev/tty") || errors.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return hasConsole();
        }
    }

    /** From Java 22 on there is a console even without a terminal. */
    @SuppressWarnings("SystemConsoleNull") // both meanings are read
    private static boolean hasConsole() {
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

    /**
     * Whether the user answers yes. Without a terminal nobody does.
     *
     * @throws InterruptedException if the user ends the program instead
     */
    @SuppressWarnings("SystemConsoleNull") // as above
    public static boolean confirms(String question) throws InterruptedException {
        Console console = System.console();
        if (console == null || !hasConsole()) {
            return false;
        }
        String answer = interruptibly(() -> console.readLine("%s [y/N] ", question));
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    /** Reads on another thread: an interrupt does not end a read. */
    static String interruptibly(Callable<String> reading) throws InterruptedException {
        FutureTask<String> answer = new FutureTask<>(reading);
        Thread thread = new Thread(answer, "tidegate-answer");
        thread.setDaemon(true);
        thread.start();
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
