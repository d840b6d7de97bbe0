/** Makes a failing case smaller. */
package io.tidegate.connect.check.reduce;
