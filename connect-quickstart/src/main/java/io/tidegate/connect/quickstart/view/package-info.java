/**
 * What the user of {@code ./quickstart} sees: the progress as lines of a log or redrawn in a terminal. It must not
 * import the package above, which fills the snapshots.
 */
package io.tidegate.connect.quickstart.view;
