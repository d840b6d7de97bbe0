package io.tidegate.connect.common.spi;

/** The only three words that the pipeline knows about errors; each server's failure table translates into them. */
public enum Failure {
    /** The server or the way to it is not fit to write now: the same documents are written again after a pause. */
    TRANSIENT,
    /**
     * The server refuses something in these documents. Those that it named are refused and the others written again at
     * once; when it named none they are split until the one at fault stands alone.
     */
    REJECTED,
    /** Nothing can be written until a human changes something: the task fails and says what. */
    FATAL
}
