/**
 * The failure table as an operator may change it: the setting {@code error.overrides}, and what it says about an error at
 * this moment. Sinks define the setting and ask about each error that they classify. This package knows no server: a sink
 * says which codes its server has.
 */
package io.tidegate.connect.common.override;
