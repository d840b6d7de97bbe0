package io.tidegate.connect.elasticsearch;

import java.util.Set;

/** Makes what must exist before documents are written. Any lane's thread. */
@FunctionalInterface
interface Preparation {
    /** Makes sure that these destinations can be written to as the settings want them; asks the server at most once. */
    void prepare(Set<String> destinations, AbortableCalls calls) throws FailedCall;
}
