package io.tidegate.connect.jsonb;

import static java.util.Map.entry;

import io.tidegate.connect.common.spi.Failure;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What each SQLSTATE means for the pipeline: the one place where PostgreSQL's errors are classified. A state is looked
 * up whole, then by its class. Source: PostgreSQL documentation, appendix A, "PostgreSQL Error Codes".
 */
final class PostgresFailures {
    private static final int CLASS_LENGTH = 2;

    private static final Map<String, Failure> BY_STATE = Map.ofEntries(
            // An outage: the server, or the way to it, is not fit to write now.
            entry("08", Failure.TRANSIENT), // connection
            entry("25006", Failure.TRANSIENT), // read-only: a standby, or a primary that was demoted
            entry("40", Failure.TRANSIENT), // serialization failure, deadlock
            entry("53", Failure.TRANSIENT), // out of connections, memory, disk
            entry("55P03", Failure.TRANSIENT), // lock not available
            entry("57", Failure.TRANSIENT), // shutdown, cannot connect now, statement timeout
            entry("58", Failure.TRANSIENT), // I/O error of the server's system
            entry("XX", Failure.TRANSIENT), // internal error
            // The data: one of these records is at fault.
            entry("21", Failure.REJECTED), // a key twice in a statement
            entry("22", Failure.REJECTED), // malformed JSON, encoding, ranges
            entry("23", Failure.REJECTED), // constraints
            entry("42804", Failure.REJECTED), // a value of the wrong type
            entry("44", Failure.REJECTED), // check option of a view
            entry("54", Failure.REJECTED), // nested too deep, too large
            entry("P0", Failure.REJECTED)); // raised by a trigger

    private PostgresFailures() {}

    /**
     * Anything that the table does not name is for a human: permissions, missing tables, wrong passwords, a task that was
     * replaced without noticing.
     */
    static Failure classify(SQLException e) {
        String state = stateOf(e).orElse("08000"); // without a state it never reached the server
        Failure exact = BY_STATE.get(state);
        if (exact != null) {
            return exact;
        }
        return state.length() < CLASS_LENGTH
                ? Failure.FATAL
                : BY_STATE.getOrDefault(state.substring(0, CLASS_LENGTH), Failure.FATAL);
    }

    /** Whether the error says that other connections of the pool are no good either. */
    static boolean endsConnections(SQLException e) {
        String state = stateOf(e).orElse("");
        return state.startsWith("08") || state.startsWith("57P0") || isReadOnly(state);
    }

    /** Whether this is the answer of a server that is not, or no longer, a primary. */
    static boolean isReadOnly(String state) {
        return "25006".equals(state);
    }

    /** A pool that has no connection to give reports the state of the last failure to open one. */
    private static Optional<String> stateOf(SQLException e) {
        return Optional.ofNullable(e.getSQLState());
    }

    /** The server's words and code, and the column or constraint it names; not its detail, which repeats the row. */
    static String describe(SQLException e) {
        StringBuilder text = new StringBuilder();
        ServerErrorMessage server = e instanceof PSQLException p ? p.getServerErrorMessage() : null;
        if (server == null) {
            text.append(e.getMessage());
            if (e.getCause() != null && e.getCause().getMessage() != null) {
                text.append(": ").append(e.getCause().getMessage());
            }
        } else {
            text.append(server.getMessage());
            append(text, "table", server.getTable());
            append(text, "column", server.getColumn());
            append(text, "constraint", server.getConstraint());
        }
        append(text, "SQLSTATE", e.getSQLState());
        return text.toString();
    }

    private static void append(StringBuilder text, String name, String value) {
        if (value != null && !value.isEmpty()) {
            text.append(", ").append(name).append(' ').append(value);
        }
    }
}
