package io.tidegate.connect.quickstart.view;

/** The sinks, with the names that {@code --sinks} and the RESULT lines use. */
public enum Sink {
    JSONB("jsonb", "tides-jsonb", "PostgreSQL"),
    ES("es", "tides-es", "Elasticsearch");

    private final String label;
    private final String connector;
    private final String server;

    Sink(String label, String connector, String server) {
        this.label = label;
        this.connector = connector;
        this.server = server;
    }

    public String label() {
        return label;
    }

    /** The name of the connector and of its file in {@code docker/connectors}. */
    public String connector() {
        return connector;
    }

    /** What the sink writes to. */
    public String server() {
        return server;
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
