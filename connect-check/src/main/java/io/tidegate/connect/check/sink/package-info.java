/** The sinks that can be checked: their base settings, and where their promises come from. */
package io.tidegate.connect.check.sink;
