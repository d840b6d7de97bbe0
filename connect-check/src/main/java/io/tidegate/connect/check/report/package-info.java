/** What a run has met, and how it is told. */
package io.tidegate.connect.check.report;
