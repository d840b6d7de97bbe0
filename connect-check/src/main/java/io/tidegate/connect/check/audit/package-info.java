/** What {@code tidegate audit} says of a case, compared with what is known of it. */
package io.tidegate.connect.check.audit;
