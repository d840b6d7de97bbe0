package io.tidegate.connect.jsonb;

import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.ConverterScenarios;
import io.tidegate.connect.testkit.scenarios.Store;
import java.nio.file.Path;

/** The JSONB sink behind a schema registry. */
final class ConvertersIT extends ConverterScenarios {
    private final PostgresServer server = PostgresServer.builder().fastStart().build();
    private final PostgresStore store = new PostgresStore(server);

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected void startStore() {
        server.start();
    }

    @Override
    protected void closeStore() {
        server.close();
    }

    @Override
    protected Path sinkPluginPath() {
        return Path.of("target", "plugin");
    }
}
