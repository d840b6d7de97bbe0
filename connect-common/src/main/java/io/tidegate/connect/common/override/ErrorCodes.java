package io.tidegate.connect.common.override;

import java.util.Optional;

/** The error codes of a kind of server, as an operator may write them. Stateless. */
public interface ErrorCodes {
    /**
     * The one form in which a code is looked up.
     *
     * @throws IllegalArgumentException if this is no code; its message says what a code looks like
     */
    String canonical(String code);

    /**
     * Why no record may be refused because of this code; empty if it may.
     *
     * @param code in its canonical form
     */
    Optional<String> dangerOfRefusing(String code);
}
