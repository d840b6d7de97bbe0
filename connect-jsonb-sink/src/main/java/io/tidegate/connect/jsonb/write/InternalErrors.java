package io.tidegate.connect.jsonb.write;

import io.tidegate.connect.common.spi.Failure;
import io.tidegate.connect.common.spi.WriteException;
import io.tidegate.connect.jsonb.client.SqlState;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * Counts attempts that the server ends with an internal error. It may be over soon, as an outage is. But some servers
 * answer it to what they do not support, and no wait ends that. One lane uses it.
 */
final class InternalErrors {
    /** Attempts in a row. With the longest pauses between them they take about two minutes. */
    static final int MOST = 60;

    private int inARow;

    void passed() {
        inARow = 0;
    }

    /** The failure, or one that ends the task. */
    WriteException judge(WriteException e) {
        boolean isInternal = e.failure() == Failure.TRANSIENT
                && e.getCause() instanceof SQLException error
                && !(error instanceof SQLTransientConnectionException) // the pool opens no session: nothing was sent
                && SqlState.INTERNAL_ERROR.equals(error.getSQLState());
        inARow = isInternal ? inARow + 1 : e.failure() == Failure.BUSY ? inARow : 0;
        if (inARow < MOST) {
            return e;
        }
        String message = e.getMessage() + "; " + inARow
                + " attempts in a row ended so, even with the plainest statements: the server lacks what the settings need";
        return e.as(Failure.FATAL, message, e.destinations());
    }
}
