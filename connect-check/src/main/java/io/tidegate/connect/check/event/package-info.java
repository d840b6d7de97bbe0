/** What happens to cases while they run: one class for each event and each fault. */
package io.tidegate.connect.check.event;
