package io.tidegate.connect.testkit;

import io.tidegate.connect.testkit.elasticsearch.Elasticsearch;
import io.tidegate.connect.testkit.elasticsearch.KeptElasticsearch;
import io.tidegate.connect.testkit.kafka.Connect;
import io.tidegate.connect.testkit.kafka.ConnectWorker;
import io.tidegate.connect.testkit.kafka.Kafka;
import io.tidegate.connect.testkit.kafka.KeptBroker;
import io.tidegate.connect.testkit.postgres.Postgres;
import io.tidegate.connect.testkit.postgres.PostgresServer;
import java.util.Optional;

/**
 * Starts servers as child processes on loopback, from jars on Maven Central. Broker and node are those of an earlier test
 * class, emptied.
 */
final class EmbeddedServers implements Servers {
    static final String KIND = "embedded";

    @Override
    public Kafka kafka() {
        return new KeptBroker();
    }

    @Override
    public Postgres postgres() {
        return PostgresServer.builder().fastStart().build();
    }

    @Override
    public Elasticsearch elasticsearch() {
        return new KeptElasticsearch();
    }

    @Override
    public Connect connect(Kafka kafka, WorkerOrder order) {
        ConnectWorker.Builder builder = ConnectWorker.builder()
                .fastStart()
                .bootstrapServers(kafka.bootstrapServers())
                .pluginPath(order.pluginPath())
                .jmx();
        order.properties().forEach(builder::property);
        order.environment().forEach(builder::environment);
        return builder.build();
    }

    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
