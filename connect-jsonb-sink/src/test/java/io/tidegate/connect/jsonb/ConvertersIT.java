package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidegate.connect.testkit.postgres.PostgresServer;
import io.tidegate.connect.testkit.scenarios.ConverterScenarios;
import io.tidegate.connect.testkit.scenarios.Store;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

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

    /** As with the converter, whose values have a schema. */
    @Test
    void theRegistrysSchemaSaysTheTypesOfColumns() {
        String table = topic() + "-columns";
        store.execute("CREATE TABLE \"" + table + "\" (n bigint, fixed bytea, doc jsonb)");
        Map<String, String> settings = new HashMap<>(avroWithoutAConverter());
        settings.putAll(Props.of("insert.mode=insert pk.mode=none columns.from.fields=add table.name.format=" + table));
        startSink(1, settings);
        sendEveryType();

        await().atMost(SOON).untilAsserted(() -> assertThat(store.column("SELECT count(*) FROM \"" + table + "\""))
                .containsExactly("1"));
        assertThat(store.column("SELECT string_agg(attname || ' ' || atttypid::regtype, ', ' ORDER BY attname)"
                        + " FROM pg_attribute WHERE attrelid = '\"" + table + "\"'::regclass AND attnum > 0"))
                .containsExactly(
                        "at timestamp with time zone, bytes bytea, day date, doc jsonb, double double precision,"
                                + " either jsonb, fixed bytea, float real, inner jsonb, int integer, kind text, list jsonb,"
                                + " long bigint, map jsonb, n bigint, price numeric, some text, text text,"
                                + " time time without time zone, uuid text, yes boolean");
        assertThat(store.column("SELECT concat_ws(' ', bytes, fixed, price, \"time\", list) FROM \"" + table + "\""))
                .containsExactly("\\x010203 \\x0405 123.45 00:06:00 [\"a\", \"b\"]");
        assertNoTaskFailed();
    }
}
