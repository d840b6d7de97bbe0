package io.tidegate.connect.quickstart.view;

/** The sinks, with the names that {@code --sinks} and the RESULT lines use. */
public enum Sink {
    JSONB("jsonb", "tides-jsonb"),
    ES("es", "tides-es");

    private final String label;
    private final String connector;

    Sink(String label, String connector) {
        this.label = label;
        this.connector = connector;
    }

    public String label() {
        return label;
    }

    /** The name of the connector and of its file in {@code docker/connectors}. */
    public String connector() {
        return connector;
    }

    /** Connect's name for the consumer group of a sink. */
    public String consumerGroup() {
        return "connect-" + connector;
    }

    @Override
    public String toString() {
        return label;
    }
}
