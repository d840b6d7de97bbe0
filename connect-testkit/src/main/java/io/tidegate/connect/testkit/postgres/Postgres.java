package io.tidegate.connect.testkit.postgres;

import io.tidegate.connect.testkit.process.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A PostgreSQL server with password authentication. */
public interface Postgres extends Server {
    /** The system property that names the major version, 13 to 18. Without it each kind of servers uses its default. */
    String MAJOR = "testkit.postgres";

    /** The host for clients in this JVM. */
    default String host() {
        return "127.0.0.1";
    }

    /** The port for clients in this JVM. Does not change after the first start. */
    int port();

    /** The host for a Connect worker of the same {@code Servers}. */
    default String workerHost() {
        return host();
    }

    /** The port for a Connect worker of the same {@code Servers}. */
    default int workerPort() {
        return port();
    }

    /** The name of a superuser. */
    String user();

    /** The superuser's random password. */
    String password();

    String database();

    /** The URL for clients in this JVM, without user and password. Does not change after the first start. */
    default String jdbcUrl() {
        return jdbcUrl(host(), port());
    }

    /** The URL for a Connect worker of the same {@code Servers}, without user and password. */
    default String workerJdbcUrl() {
        return jdbcUrl(workerHost(), workerPort());
    }

    private String jdbcUrl(String host, int port) {
        return "jdbc:postgresql://%s:%d/%s".formatted(host, port, database());
    }

    /** Opens a connection as {@link #user}, with a timeout of 10 s. Needs pgjdbc on the class path. */
    default Connection connect() throws SQLException {
        DriverManager.setLoginTimeout(10);
        return DriverManager.getConnection(jdbcUrl(), user(), password());
    }
}
