/**
 * The failure table as an operator may change it: the setting {@code error.overrides}. Sinks define the setting and give
 * each failure its codes; {@code Delivery} applies it. This package knows no server: a sink says which codes its server
 * has.
 */
package io.tidegate.connect.common.override;
