/**
 * What the user of {@code ./quickstart} sees: the progress as lines of a log, redrawn in a terminal, or as a page. It
 * must not import the package above, which fills the snapshots.
 */
package io.tidegate.connect.quickstart.view;
