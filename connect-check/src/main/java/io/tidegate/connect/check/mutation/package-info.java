/** Puts known defects back, and measures how long it takes until they are found. */
package io.tidegate.connect.check.mutation;
