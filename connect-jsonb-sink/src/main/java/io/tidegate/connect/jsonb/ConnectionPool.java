package io.tidegate.connect.jsonb;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.connect.common.metrics.Metric;
import io.tidegate.connect.common.pool.SharedResource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a worker to one target, bounded, shared by all tasks and connectors with equal settings. Opened
 * without reaching for the server; any thread borrows from it.
 */
final class ConnectionPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConnectionPool.class);
    private static final SharedResource<ConnectionSettings, ConnectionPool> POOLS =
            new SharedResource<>("connection pool");

    /**
     * What is sent in binary: jsonb, int4, int8 and timestamptz, and the arrays of text, int4, int8 and timestamptz. Their
     * OIDs are fixed in PostgreSQL's {@code pg_type.dat}.
     */
    private static final String BINARY_OIDS = "3802,23,20,1184,1009,1007,1016,1185";

    private final PoolMetrics metrics;
    private final HikariDataSource pool;

    private ConnectionPool(ConnectionSettings settings) {
        this.metrics = new PoolMetrics(settings.toString());
        HikariConfig config = configure(settings);
        config.setMetricsTrackerFactory(metrics);
        this.pool = new HikariDataSource(config);
    }

    /** Joins the users of the pool with these settings. */
    static SharedResource.Lease<ConnectionPool> lease(ConnectionSettings settings) {
        return POOLS.lease(settings, ConnectionPool::new);
    }

    private static HikariConfig configure(ConnectionSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("tidegate " + settings);
        config.setDataSource(dataSource(settings));
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1); // a task starts while the server is down
        config.setConnectionTimeout(settings.poolWait().toMillis());
        config.setAutoCommit(true);
        config.setExceptionOverride(new ReadOnlyEviction());
        return config;
    }

    private static DataSource dataSource(ConnectionSettings settings) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(settings.url());
        if (!settings.user().isEmpty()) {
            source.setUser(settings.user());
        }
        if (!settings.password().value().isEmpty()) {
            source.setPassword(settings.password().value());
        }
        Properties inUrl = Driver.parseURL(settings.url(), new Properties());
        defaults(settings).forEach((property, value) -> {
            if (inUrl.getProperty(property.getName()) == null) {
                source.setProperty(property, value);
            }
        });
        return source;
    }

    /** What the driver leaves open and an unattended client needs; the URL may say otherwise. */
    private static Map<PGProperty, String> defaults(ConnectionSettings settings) {
        Map<PGProperty, String> defaults = new LinkedHashMap<>();
        defaults.put(PGProperty.APPLICATION_NAME, "tidegate");
        defaults.put(PGProperty.BINARY_TRANSFER_ENABLE, BINARY_OIDS);
        defaults.put(PGProperty.CONNECT_TIMEOUT, seconds(settings.connectTimeout()));
        defaults.put(PGProperty.HOST_RECHECK_SECONDS, "2");
        defaults.put(PGProperty.LOGIN_TIMEOUT, seconds(settings.connectTimeout().multipliedBy(2)));
        // The server notices a worker that vanished without closing: 30 s of silence, then 3 probes 10 s apart.
        defaults.put(
                PGProperty.OPTIONS,
                "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3");
        defaults.put(PGProperty.PREPARE_THRESHOLD, "0"); // a pooler between us and the server may share connections
        defaults.put(PGProperty.SOCKET_TIMEOUT, seconds(settings.socketTimeout()));
        defaults.put(PGProperty.TARGET_SERVER_TYPE, "primary");
        defaults.put(PGProperty.TCP_KEEP_ALIVE, "true");
        return defaults;
    }

    private static String seconds(Duration duration) {
        return Long.toString((duration.toMillis() + 999) / 1000);
    }

    /** Borrows a connection in autocommit mode; waits no longer than the settings say. */
    Connection borrow() throws SQLException {
        return pool.getConnection();
    }

    /** The server is gone or no longer the primary: every connection is closed as soon as nobody uses it. */
    void evictAll(String why) {
        log.info("Closing the connections of {}: {}", pool.getPoolName(), why);
        metrics.evicted();
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    /** What operators may read of this pool, from any thread. */
    List<Metric> metrics() {
        return metrics.all();
    }

    @Override
    public void close() {
        pool.close();
    }
}
