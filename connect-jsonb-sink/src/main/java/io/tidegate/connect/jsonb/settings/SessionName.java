package io.tidegate.connect.jsonb.settings;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The name of a session in {@code pg_stat_activity}, such as {@code tidegate orders@worker-1[4711]}. It tells the DBA
 * which worker opened the session.
 */
final class SessionName {
    /** The server cuts names at NAMEDATALEN - 1 bytes, and replaces everything but printable ASCII. */
    private static final int MAX_LENGTH = 63;

    private static final int MAX_HOST = 20;
    private static final char UNPRINTABLE = '?';
    private static final String WORKER = "@" + cut(firstLabel(host()), MAX_HOST) + "["
            + ProcessHandle.current().pid() + "]";

    private SessionName() {}

    /** The name for this worker's sessions while they write for a connector. */
    static String of(String connector) {
        return of(connector, WORKER);
    }

    static String of(String connector, String worker) {
        String prefix = "tidegate ";
        return prefix
                + cut(printable(requireNonNull(connector, "connector")), MAX_LENGTH - prefix.length() - worker.length())
                + worker;
    }

    private static String printable(String text) {
        return text.chars()
                .map(c -> c >= ' ' && c <= '~' ? c : UNPRINTABLE)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "~";
    }

    private static String firstLabel(String host) {
        int dot = host.indexOf('.');
        return printable(dot > 0 ? host.substring(0, dot) : host);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
