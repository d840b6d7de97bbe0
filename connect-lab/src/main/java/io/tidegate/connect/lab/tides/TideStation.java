package io.tidegate.connect.lab.tides;

/**
 * A water level station of NOAA CO-OPS.
 *
 * @param id seven digits
 * @param state of the United States, or the territory; empty if it is not known
 * @param latitude in degrees north
 * @param longitude in degrees east
 */
record TideStation(String id, String name, String state, double latitude, double longitude) {}
