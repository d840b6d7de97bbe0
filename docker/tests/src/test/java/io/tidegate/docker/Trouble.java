package io.tidegate.docker;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A fault of a server or of the network in the stack.
 *
 * @param where the failing server, as in the table
 * @param what the fault, such as "killed"
 * @param begin starts the fault and returns the action that ends it
 */
record Trouble(String where, String what, Function<Ha, Runnable> begin) {
    private static final String LATENCY = "{\"latency\": 500, \"jitter\": 100}";

    /**
     * Every fault of every kind of server, a planned change of the primary, and the faults of the network between workers
     * and stores.
     */
    static List<Trouble> all() {
        List<Trouble> troubles = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            troubles.add(of("PostgreSQL primary", fault, Ha::primary));
            troubles.add(of("PostgreSQL standby", fault, Ha::standby));
            troubles.add(of("Elasticsearch node", fault, Ha::primaryNode));
            troubles.add(of("broker", fault, ha -> Ha.BROKERS.get(0)));
            troubles.add(of("worker", fault, ha -> Ha.WORKERS.get(0)));
        }
        troubles.add(new Trouble("PostgreSQL primary", "switched over", ha -> {
            ha.switchOver();
            return () -> {};
        }));
        troubles.add(toxic("network to PostgreSQL", "black hole", Ha.POSTGRES, "timeout", "{\"timeout\": 0}"));
        troubles.add(toxic("network to Elasticsearch", "black hole", Ha.ELASTICSEARCH, "timeout", "{\"timeout\": 0}"));
        troubles.add(toxic("network to PostgreSQL", "half a second late", Ha.POSTGRES, "latency", LATENCY));
        troubles.add(toxic("network to Elasticsearch", "half a second late", Ha.ELASTICSEARCH, "latency", LATENCY));
        return troubles;
    }

    private static Trouble of(String where, Fault fault, Function<Ha, String> service) {
        return new Trouble(where, fault.word(), ha -> {
            String victim = service.apply(ha);
            fault.begin(ha.stack(), victim);
            return () -> fault.end(ha.stack(), victim);
        });
    }

    private static Trouble toxic(String where, String what, List<String> services, String type, String attributes) {
        return new Trouble(where, what, ha -> {
            ha.addToxic(services, type, attributes);
            return () -> ha.removeToxics(services);
        });
    }

    @Override
    public String toString() {
        return (where + " " + what).toLowerCase(Locale.ROOT);
    }
}
