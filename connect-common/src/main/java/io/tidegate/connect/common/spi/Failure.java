package io.tidegate.connect.common.spi;

/** The only words that the pipeline knows about errors; each server's failure table translates into them. */
public enum Failure {
    /** The server or the way to it is not fit to write now: the same documents are written again after a pause. */
    TRANSIENT,
    /**
     * Nothing is wrong with the server: this attempt came at a bad moment. The same documents are written again after a
     * pause, which is no outage and spends no retry.
     */
    BUSY,
    /**
     * The documents were more than the server can take at once: fewer are sent from now on. A single one that is too much
     * is as {@link #TRANSIENT}.
     */
    TOO_MUCH,
    /**
     * The server works, but takes nothing for some destinations now, which the exception names with reasons. Their documents
     * wait and are written again, in order, after a pause of their own; those of others are not held up. Not for a server
     * that keeps offsets.
     */
    DESTINATION,
    /**
     * The server refuses something in these documents. Those that it named are refused and the others written again at
     * once; when it named none they are split until the one at fault stands alone.
     */
    REJECTED,
    /** Nothing can be written until a human changes something: the task fails and says what. */
    FATAL
}
