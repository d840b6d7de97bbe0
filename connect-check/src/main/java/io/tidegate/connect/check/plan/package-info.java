/** A case as data: what is configured, sent and done to it. It can be printed, changed and run again. */
package io.tidegate.connect.check.plan;
