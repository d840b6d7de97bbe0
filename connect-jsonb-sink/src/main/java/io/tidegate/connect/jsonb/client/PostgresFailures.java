package io.tidegate.connect.jsonb.client;

import io.tidegate.connect.common.document.DocumentMapper;
import io.tidegate.connect.common.override.ErrorOverride;
import io.tidegate.connect.common.override.ErrorOverrides;
import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.value.RefusedException;
import io.tidegate.connect.jsonb.settings.SqlStateCodes;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Says what each SQLSTATE means for the pipeline. Errors are classified only here; {@link ConnectionFailures} says what
 * else one shows that opens no session. A state is looked up first as a whole, then by its class. Source: PostgreSQL
 * documentation, appendix A, "PostgreSQL Error Codes".
 */
public final class PostgresFailures {
    private static final int CLASS_LENGTH = 2;

    /** What a statement says in its error if a redriven record met a row that may be newer or older. */
    public static final String UNGUARDED =
            "the row has another content with the guarding value of this record, so nothing"
                    + " shows which of the two is newer; see redrive";

    /** An error without a state never reached the server. */
    static final String NO_STATE = "08000";

    /**
     * A row of the table.
     *
     * @param state a SQLSTATE, or the two characters of its class
     * @param kind of the refusal, for the dead letter; empty if it is none
     * @param advice what a person can do; empty if there is nothing to do
     */
    private record Rule(String state, Failure failure, String kind, String advice) {}

    private static Rule outage(String state, String advice) {
        return new Rule(state, Failure.TRANSIENT, "", advice);
    }

    private static Rule busy(String state) {
        return new Rule(state, Failure.BUSY, "", "");
    }

    private static Rule tooMuch(String state, String advice) {
        return new Rule(state, Failure.TOO_MUCH, "", advice);
    }

    private static Rule data(String state, String kind) {
        return new Rule(state, Failure.REJECTED, kind, "");
    }

    private static Rule fatal(String state, String advice) {
        return new Rule(state, Failure.FATAL, "", advice);
    }

    /** Fatal, unless the record names the table; see {@link #isOfDestination}. */
    private static Rule destination(String state, String advice) {
        return new Rule(state, Failure.FATAL, DESTINATION, advice);
    }

    /** The server takes nothing for the statement's table now, and may take rows for others. */
    private static Rule table(String state, String advice) {
        return new Rule(state, Failure.DESTINATION, "", advice);
    }

    private static final String DESTINATION = "destination";

    /** The kind of a refusal that only an override asks for. */
    private static final String OVERRIDDEN = "override";

    private static final List<Rule> RULES = List.of(
            // Outage: the server, or the connection to it, cannot write now.
            outage("08", ""), // connection
            // Raised by the driver.
            outage(
                    "08004",
                    "check connection.password or connection.credentials.provider, and sslmode in connection.url"),
            outage("25006", ""), // read-only: a standby, or a primary that was demoted
            outage("25P03", ""), // idle in a transaction for too long: the network was slow
            outage("53", ""), // out of connections, memory, disk
            outage("57", ""), // shutdown, cannot connect now, cancelled
            outage("58", ""), // I/O error of the server's operating system
            outage("72", ""), // snapshot too old
            outage("XX", ""), // internal error
            // Table: others may be written meanwhile.
            table("53100", "free space on the disk of the table"),
            table("55P03", ""), // lock not available
            // Busy: another task or transaction got in the way, but the server is well.
            busy("40"), // serialization failure, deadlock; a partition that another task has claimed
            // Too much: more than the server takes at once, or within its time limit.
            tooMuch("25P04", "it exceeded the server's transaction_timeout"),
            tooMuch("53200", ""), // out of memory
            tooMuch("57014", "if this is not a person who cancelled it, it exceeded the server's statement_timeout"),
            // Data: one of these records is at fault.
            data("09", "trigger"), // triggered action
            data("20", "trigger"), // no branch of a CASE
            data("21", "duplicate"), // a key twice in a statement
            data("22", "data"), // malformed JSON, encoding, ranges
            table("2200H", "the sequence of a column has no more values: make both bigint"),
            data("23", "constraint"),
            data("24", "trigger"), // state of a cursor, and the sink uses none
            data("27", "trigger"), // triggered data change
            data("2D", "trigger"), // a routine that ends the transaction
            data("2F", "trigger"), // a routine that does not return, or does what it may not
            data("34", "trigger"), // name of a cursor
            data("38", "trigger"), // a routine in another language
            data("39", "trigger"), // what such a routine returns
            data("42804", "type"), // a value of the wrong type
            data("44", "constraint"), // check option of a view
            data("45", "trigger"), // the SQL standard's class for errors that users raise
            data("54", "limit"), // nested too deep, too large
            data("P0", "trigger"), // raised in PL/pgSQL
            // Fatal: a person has to act; the advice says how.
            fatal("28", "check connection.user and connection.password, and the server's pg_hba.conf"),
            fatal("3D", "check the database in connection.url"),
            destination("3F", "check the schema in table.name.format"),
            destination("42501", "grant the user of connection.user what is missing"),
            fatal("42703", "add the column to the table or change the settings that name columns"),
            destination("42P01", "create the table or change table.name.format"),
            fatal("42P10", "create a unique index on the columns of pk.fields"),
            fatal("XX001", "the server's data files are damaged"),
            fatal("XX002", "an index is damaged: REINDEX it"));

    /**
     * Rules by state and by the server's routine, where a state alone has two meanings. A missing partition is the
     * table's fault. A row that a policy forbids is at fault itself. A server that gives out no more ids takes no row.
     * Routine names are not translated, and these have not changed since PostgreSQL 10.
     */
    private static final Map<String, Rule> BY_ROUTINE = Map.of(
            "23514 ExecFindPartition",
            table("23514", "create the partition that the next records need, or a default partition"),
            "42501 ExecWithCheckOptions",
            data("42501", "policy"),
            "54000 GetNewTransactionId",
            outage("54000", "the server is about to run out of transaction ids: VACUUM its databases"),
            "54000 GetNewMultiXactId",
            outage("54000", "the server is about to run out of multixact ids: VACUUM its databases"));

    private static final Map<String, Rule> BY_STATE =
            RULES.stream().collect(Collectors.toUnmodifiableMap(Rule::state, Function.identity()));

    /** Classes that neither the standard nor PostgreSQL uses. Triggers raise errors with states of these classes. */
    private static final Rule OF_USERS = data("", "trigger");

    /** What the codes of these classes begin with. */
    private static final String CLASSES_OF_USERS = "IJKLMNOQRSTUVWYZ";

    /** Any other state fails the task, for example a feature that the server lacks. */
    private static final Rule UNKNOWN = fatal("", "");

    /** A value that its type does not parse, such as {@code ltree}, {@code tsquery} or {@code jsonpath}. */
    private static final Rule OF_VALUE = data(SqlState.SYNTAX_ERROR, "data");

    /** Of a foreign table's server, for example. The server itself is well. */
    private static final Rule OF_ANOTHER_SERVER =
            table("08", "check the server behind the table: its foreign tables, or what its triggers connect to");

    /** What servers answer to a function, a kind of statement or a setting that they do not have. */
    private static final Set<String> UNSUPPORTED =
            Set.of("0A000", SqlState.SYNTAX_ERROR, "42704", "42883", SqlState.INTERNAL_ERROR);

    /** A file of PostgreSQL's source, but of no language for triggers. */
    private static final Pattern SOURCE = Pattern.compile("^(?!pl).*\\.[cly]$");

    private static final String TRANSACTIONS_REFUSED = "transaction blocks not allowed in statement pooling mode";

    private PostgresFailures() {}

    private static Rule ruleOf(SQLException e) {
        String state = stateOf(e).orElse(NO_STATE);
        Rule ofRoutine = BY_ROUTINE.get(
                state + ' ' + serverError(e).map(ServerErrorMessage::getRoutine).orElse(""));
        if (ofRoutine != null) {
            return ofRoutine;
        }
        if (isSyntaxOfValue(e)) {
            return OF_VALUE;
        }
        if (isOfAnotherServer(e)) {
            return OF_ANOTHER_SERVER;
        }
        Rule rule = ruleOf(state);
        return rule.kind().equals("type") && pointsAtStatement(e) ? UNKNOWN : rule;
    }

    private static Rule ruleOf(String state) {
        if (state.length() < CLASS_LENGTH) {
            return UNKNOWN;
        }
        Rule exact = BY_STATE.get(state);
        Rule rule = exact != null ? exact : BY_STATE.get(state.substring(0, CLASS_LENGTH));
        if (rule != null) {
            return rule;
        }
        return CLASSES_OF_USERS.indexOf(state.charAt(0)) >= 0 ? OF_USERS : UNKNOWN;
    }

    /**
     * Whether PostgreSQL's input function of a type found a syntax error. It has the state of an error in a statement,
     * which has a position, unless the server is no PostgreSQL, or a language for triggers found it. A trial does not
     * look for such rows, so that they cost halvings.
     */
    private static boolean isSyntaxOfValue(SQLException e) {
        return SqlState.SYNTAX_ERROR.equals(stateOf(e).orElse(""))
                && serverError(e)
                        .filter(error -> error.getPosition() == 0 && error.getInternalPosition() == 0)
                        .map(ServerErrorMessage::getFile)
                        .filter(file -> SOURCE.matcher(file).find())
                        .isPresent();
    }

    /**
     * Whether the server found the error while it parsed the statement. Then the column's type fits no value at all.
     */
    private static boolean pointsAtStatement(SQLException e) {
        return serverError(e).map(ServerErrorMessage::getPosition).orElse(0) > 0;
    }

    /** What the failure of a statement means for its rows. */
    public static Failure classify(SQLException e) {
        return isLate(e) ? Failure.TOO_MUCH : ruleOf(e).failure();
    }

    /**
     * Whether the answer did not come within {@code socket.timeout.ms}: the server hangs, or the batch takes longer.
     */
    public static boolean isLate(SQLException e) {
        return e.getCause() instanceof SocketTimeoutException
                && SqlState.CONNECTION_FAILURE.equals(stateOf(e).orElse(""));
    }

    /** Whether the server ended a statement before it was done: it exceeded {@code statement_timeout}, or was cancelled. */
    public static boolean isCancelled(SQLException e) {
        return SqlState.QUERY_CANCELED.equals(stateOf(e).orElse(""));
    }

    /** Whether the server ended a statement, or with PostgreSQL 17 the session, because it took too long. */
    public static boolean isTimedOut(SQLException e) {
        return isCancelled(e) || SqlState.TRANSACTION_TIMEOUT.equals(stateOf(e).orElse(""));
    }

    /** What an error means before any row was sent, while connecting or claiming. No record is at fault then. */
    public static Failure classifyWithoutRows(SQLException e) {
        if (e instanceof SQLTransientConnectionException && stateOf(e).isEmpty()) {
            return Failure.BUSY; // all connections are in use, and opening one has not failed
        }
        return switch (classify(e)) {
            case REJECTED, SKIPPED, FATAL -> Failure.FATAL;
            case BUSY -> Failure.BUSY;
            case DESTINATION -> isLockTimeOut(e) ? Failure.BUSY : Failure.TRANSIENT;
            case TRANSIENT, TOO_MUCH -> Failure.TRANSIENT;
        };
    }

    /**
     * A regular expression, in the server's syntax, for the states for which a trial looks for the record at fault. An
     * override of a whole state has priority over one of its class.
     */
    public static String statesOfRecords(ErrorOverrides overrides) {
        Stream<String> standard = Stream.concat(
                RULES.stream()
                        .filter(rule -> rule.failure() == Failure.REJECTED)
                        .map(rule -> exceptionsTo(rule) + rule.state()),
                Stream.of("[" + CLASSES_OF_USERS + "]"));
        String fails = overridden(overrides, code -> code.action() == ErrorOverride.Action.FAIL)
                .map(code -> "(?!" + code + ")")
                .collect(Collectors.joining());
        Predicate<ErrorOverride> isClass = code -> code.code().length() == CLASS_LENGTH;
        Predicate<ErrorOverride> isOfRecords = code -> code.action() != ErrorOverride.Action.FAIL;
        String classes = Stream.concat(standard, overridden(overrides, isOfRecords.and(isClass)))
                .collect(Collectors.joining("|", "(", ")"));
        return Stream.concat(overridden(overrides, isOfRecords.and(isClass.negate())), Stream.of(fails + classes))
                .collect(Collectors.joining("|^", "^", ""));
    }

    /** The states of a class that mean something else than the class does. */
    private static String exceptionsTo(Rule ofClass) {
        return RULES.stream()
                .filter(rule ->
                        rule.failure() != ofClass.failure() && rule.state().startsWith(ofClass.state()))
                .map(rule -> "(?!" + rule.state() + ")")
                .collect(Collectors.joining());
    }

    private static Stream<String> overridden(ErrorOverrides overrides, Predicate<ErrorOverride> wanted) {
        return overrides.all().stream().filter(wanted).map(ErrorOverride::code);
    }

    /** What a state means that the server reported separately from the error of a statement. */
    public static Failure classify(String state) {
        return ruleOf(state).failure();
    }

    /**
     * Why a row was refused, with the facts that the server gives. The server's detail is left out, because it repeats
     * the row.
     */
    public static RefusedException refusal(SQLException e) {
        Optional<ServerErrorMessage> server = serverError(e);
        return refused(
                ruleOf(e),
                stateOf(e).orElse(""),
                describe(e),
                server.map(ServerErrorMessage::getConstraint).orElse(""),
                server.map(ServerErrorMessage::getColumn).orElse(""));
    }

    /**
     * Why a row was refused, in the same format, if the server reported it separately from the error of a statement.
     *
     * @param constraint empty, as the column, if the server names none
     */
    public static RefusedException refusal(String state, String message, String constraint, String column) {
        return refusal(ruleOf(state), state, message, constraint, column);
    }

    /** The same of a value that its type refused, whatever the state means otherwise. */
    public static RefusedException refusalOfValue(String state, String message, String constraint, String column) {
        return refusal(OF_VALUE, state, message, constraint, column);
    }

    private static RefusedException refusal(Rule rule, String state, String message, String constraint, String column) {
        StringBuilder text = new StringBuilder(message);
        append(text, "column", column);
        append(text, "constraint", constraint);
        append(text, "SQLSTATE", state);
        return refused(rule, state, text.toString(), constraint, column);
    }

    private static RefusedException refused(Rule rule, String state, String reason, String constraint, String column) {
        if (reason.contains(UNGUARDED)) {
            return RefusedException.of(DocumentMapper.UNGUARDED, UNGUARDED);
        }
        return RefusedException.of(rule.kind().isEmpty() ? OVERRIDDEN : rule.kind(), reason)
                .with("sqlstate", state)
                .with("constraint", constraint)
                .with("column", column);
    }

    /** The codes by which an operator may override what an error means; none if the server would have taken the row. */
    public static List<String> codesOf(SQLException e) {
        return e.getSQLState() == null || String.valueOf(e.getMessage()).contains(UNGUARDED)
                ? List.of()
                : SqlStateCodes.of(e.getSQLState());
    }

    /** What the server reported; empty if the driver found the error. */
    static Optional<ServerErrorMessage> serverError(SQLException e) {
        return e instanceof PSQLException p ? Optional.ofNullable(p.getServerErrorMessage()) : Optional.empty();
    }

    /** Whether the error means that other connections of the pool do not work either. */
    public static boolean endsConnections(SQLException e) {
        if (e instanceof SQLTransientConnectionException) {
            return false; // the pool has none free, which says nothing about those in use
        }
        String state = stateOf(e).orElse("");
        boolean isOfServer = state.startsWith("08") || state.startsWith("57P0") || isReadOnly(state);
        return isOfServer && !isOfAnotherServer(e);
    }

    /**
     * Whether the statement failed because the server's own connection to another server did. An error that ends our
     * session has a higher severity, and a server that takes no writes refuses the statement before any trigger runs. A server that
     * translates its messages also translates the severity: such an error then counts as its own.
     */
    static boolean isOfAnotherServer(SQLException e) {
        String state = stateOf(e).orElse("");
        boolean isOfPooler = state.equals(SqlState.PROTOCOL_VIOLATION); // old PgBouncers close connections with it
        boolean mayBe =
                (isOfPooler || isReadOnly(state)) ? hasContext(e) : state.startsWith("08") || state.startsWith("57P0");
        return mayBe
                && serverError(e)
                        .map(ServerErrorMessage::getSeverity)
                        .filter("ERROR"::equals)
                        .isPresent();
    }

    /**
     * Whether the error may mean that the table or its schema is missing, or that the role lacks a privilege on one of
     * them.
     */
    public static boolean isOfDestination(SQLException e) {
        return ruleOf(e).kind().equals(DESTINATION);
    }

    /** Whether a statement waited for a lock for too long. */
    public static boolean isLockTimeOut(SQLException e) {
        return SqlState.LOCK_NOT_AVAILABLE.equals(stateOf(e).orElse(""));
    }

    /**
     * Whether the server names this table in the context of an error, as it does for a row that is locked. The text around
     * the name, and its quotes, are in the server's language.
     *
     * @param table without a schema
     */
    public static boolean isIn(SQLException e, String table) {
        Pattern name = Pattern.compile("(?<![\\p{L}\\p{N}_$])" + Pattern.quote(table) + "(?![\\p{L}\\p{N}_$])");
        return serverError(e)
                .map(ServerErrorMessage::getWhere)
                .filter(where -> name.matcher(where).find())
                .isPresent();
    }

    /** Whether the server may lack what a statement needs, and another statement may not need. */
    public static boolean isUnsupported(SQLException e) {
        return UNSUPPORTED.contains(stateOf(e).orElse("")) && !isSyntaxOfValue(e);
    }

    /**
     * Whether a type may have refused a value with a state that otherwise names what the server lacks, such as {@code regconfig}
     * with 42704 and older {@code hstore} with XX000. An error in a statement has a position, and one of a trigger a context.
     */
    public static boolean mayBeOfValue(SQLException e) {
        return isUnsupported(e) && serverError(e).isPresent() && !pointsAtStatement(e) && !hasContext(e);
    }

    /** Whether the error has a context, as one of a trigger has, so that the statement itself need not be at fault. */
    public static boolean hasContext(SQLException e) {
        return serverError(e)
                .map(ServerErrorMessage::getWhere)
                .filter(where -> !where.isBlank())
                .isPresent();
    }

    /** Whether another transaction got in the way: a deadlock or a serialization failure. */
    public static boolean isAborted(SQLException e) {
        return stateOf(e).orElse("").startsWith("40");
    }

    /** Whether PgBouncer in statement mode refused a transaction. It has no code for that. */
    public static boolean refusesTransactions(SQLException e) {
        return String.valueOf(e.getMessage()).contains(TRANSACTIONS_REFUSED);
    }

    /** Whether the server is not, or no longer, a primary. */
    static boolean isReadOnly(String state) {
        return SqlState.READ_ONLY_TRANSACTION.equals(state);
    }

    /** The error's state. A pool without a free connection reports the state of the last failure to open one. */
    static Optional<String> stateOf(SQLException e) {
        return Optional.ofNullable(e.getSQLState());
    }

    /**
     * The server's message and code, the column or constraint that it names, and advice. The server's detail is left
     * out, because it repeats the row.
     */
    public static String describe(SQLException e) {
        StringBuilder text = new StringBuilder();
        Optional<ServerErrorMessage> server = serverError(e);
        if (server.isEmpty()) {
            text.append(e.getMessage());
            if (e.getCause() != null && e.getCause().getMessage() != null) {
                text.append(": ").append(e.getCause().getMessage());
            }
        } else {
            text.append(server.get().getMessage());
            append(text, "table", server.get().getTable());
            append(text, "column", server.get().getColumn());
            append(text, "constraint", server.get().getConstraint());
        }
        append(text, "SQLSTATE", e.getSQLState());
        String advice = ruleOf(e).advice();
        return (advice.isEmpty() ? text : text.append("; ").append(advice)).toString();
    }

    private static void append(StringBuilder text, String name, String value) {
        if (value != null && !value.isEmpty()) {
            text.append(", ").append(name).append(' ').append(value);
        }
    }
}
