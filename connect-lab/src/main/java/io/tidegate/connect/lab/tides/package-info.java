/** Tide readings as Kafka records: read from NOAA's files or JSON lines, or predicted from harmonic constituents. */
package io.tidegate.connect.lab.tides;
