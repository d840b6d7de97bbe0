/** Runs cases on real servers and collects what the oracle compares. */
package io.tidegate.connect.check.run;
