package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.process.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A PostgreSQL server with password authentication. */
public interface Postgres extends Server {
    /**
     * The system property that names the major version to run: 13 to 18. Without it each kind of servers has one of its
     * own.
     */
    String MAJOR = "testkit.postgres";

    /** As this JVM reaches it. */
    String host();

    /** As this JVM reaches it; fixed once the server has started. */
    int port();

    /** As a Connect worker beside it reaches it. */
    default String workerHost() {
        return host();
    }

    /** As a Connect worker beside it reaches it. */
    default int workerPort() {
        return port();
    }

    /** A superuser. */
    String user();

    /** Random. */
    String password();

    String database();

    /** Without user and password. Fixed once the server has started. */
    default String jdbcUrl() {
        return jdbcUrl(host(), port());
    }

    /** As {@link #jdbcUrl}, as a Connect worker beside it reaches it. */
    default String workerJdbcUrl() {
        return jdbcUrl(workerHost(), workerPort());
    }

    private String jdbcUrl(String host, int port) {
        return "jdbc:postgresql://%s:%d/%s".formatted(host, port, database());
    }

    /** A new connection as {@link #user}, or none after 10 s; needs pgjdbc on the class path. */
    default Connection connect() throws SQLException {
        DriverManager.setLoginTimeout(10);
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }
}
