package io.tidegate.connect.quickstart;

/** The sinks, with the names that {@code --sinks} and the RESULT lines use. */
enum Sink {
    JSONB("jsonb", "tides-jsonb"),
    ES("es", "tides-es");

    private final String label;
    private final String connector;

    Sink(String label, String connector) {
        this.label = label;
        this.connector = connector;
    }

    String label() {
        return label;
    }

    /** The name of the connector and of its file in {@code docker/connectors}. */
    String connector() {
        return connector;
    }

    /** Connect's name for the consumer group of a sink. */
    String consumerGroup() {
        return "connect-" + connector;
    }

    @Override
    public String toString() {
        return label;
    }
}
