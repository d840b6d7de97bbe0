package io.tidegate.connect.lab.tides;

import java.util.List;

/**
 * The positions of moon and sun at one moment, in degrees, as accurate as tides need them. Mean longitudes are the
 * polynomials of Meeus (Astronomical Algorithms, chapter 47) to the first order, accurate to a hundredth of a degree
 * within this century.
 *
 * @param hour T: hour angle of the mean sun at Greenwich
 * @param moon s: mean longitude of the moon
 * @param sun h: mean longitude of the sun
 * @param perigee p: longitude of the moon's perigee
 * @param node N: longitude of the moon's ascending node
 * @param perihelion p1: longitude of the sun's perigee
 */
record Astronomy(double hour, double moon, double sun, double perigee, double node, double perihelion) {
    private static final long J2000_EPOCH_SECOND = 946_728_000L;
    private static final double SECONDS_PER_CENTURY = 36_525.0 * 86_400;

    static Astronomy at(long epochSecond) {
        double centuries = (epochSecond - J2000_EPOCH_SECOND) / SECONDS_PER_CENTURY;
        double hours = Math.floorMod(epochSecond, 86_400L) / 3600.0;
        return new Astronomy(
                180 + 15 * hours,
                218.3164477 + 481_267.88123421 * centuries,
                280.46646 + 36_000.76983 * centuries,
                83.3532465 + 4_069.0137287 * centuries,
                125.04452 - 1_934.136261 * centuries,
                282.93735 + 1.71946 * centuries);
    }

    /** The equilibrium argument V of a constituent, in degrees. */
    double argument(Constituent constituent) {
        List<Integer> n = constituent.multiples();
        return n.get(0) * hour
                + n.get(1) * moon
                + n.get(2) * sun
                + n.get(3) * perigee
                + n.get(4) * perihelion
                + constituent.constant();
    }

    /** The node factor f and node argument u of a constituent, in the moon's cycle of 18.6 years. */
    Node node(Constituent constituent) {
        Node product = Node.NONE;
        for (String name : constituent.nodes()) {
            boolean minus = name.length() > 1 && name.startsWith("-");
            Node node = nodeOf(minus ? name.substring(1) : name);
            product = new Node(
                    product.factor() * node.factor(),
                    product.argument() + (minus ? -node.argument() : node.argument()));
        }
        return product;
    }

    /** The usual first-order series (Pugh, Tides, Surges and Mean Sea-Level, table 4:3). */
    private Node nodeOf(String name) {
        double cos = Math.cos(Math.toRadians(node));
        double sin = Math.sin(Math.toRadians(node));
        return switch (name) {
            case "-" -> Node.NONE;
            case "M2" -> new Node(1 - 0.037 * cos, -2.1 * sin);
            case "K1" -> new Node(1.006 + 0.115 * cos, -8.9 * sin);
            case "O1" -> new Node(1.009 + 0.187 * cos, 10.8 * sin);
            case "K2" -> new Node(1.024 + 0.286 * cos, -17.7 * sin);
            case "J1" -> new Node(1.013 + 0.198 * cos, -12.9 * sin);
            case "OO1" -> new Node(1.107 + 0.640 * cos, -36.7 * sin);
            case "MM" -> new Node(1 - 0.130 * cos, 0);
            case "MF" -> new Node(1.043 + 0.414 * cos, -23.7 * sin);
            default -> throw new IllegalArgumentException("no node factor is known for " + name);
        };
    }

    /** @param argument in degrees */
    record Node(double factor, double argument) {
        static final Node NONE = new Node(1, 0);
    }
}
