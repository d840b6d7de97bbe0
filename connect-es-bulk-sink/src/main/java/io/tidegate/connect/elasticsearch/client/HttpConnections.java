package io.tidegate.connect.elasticsearch.client;

import io.tidegate.connect.elasticsearch.client.tls.Tls;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.http.config.RegistryBuilder;
import org.apache.http.impl.nio.client.HttpAsyncClientBuilder;
import org.apache.http.impl.nio.conn.PoolingNHttpClientConnectionManager;
import org.apache.http.impl.nio.reactor.DefaultConnectingIOReactor;
import org.apache.http.impl.nio.reactor.IOReactorConfig;
import org.apache.http.nio.conn.NoopIOSessionStrategy;
import org.apache.http.nio.conn.SchemeIOSessionStrategy;
import org.apache.http.nio.conn.ssl.SSLIOSessionStrategy;
import org.apache.http.nio.reactor.IOReactorException;
import org.apache.http.pool.PoolStats;
import org.apache.kafka.connect.errors.ConnectException;

/** The bounded pool of connections of one client, and the threads that serve them. The client closes it. */
final class HttpConnections {
    private static final AtomicInteger THREADS = new AtomicInteger();
    private static final int IO_THREADS = Math.min(4, Runtime.getRuntime().availableProcessors());

    private final PoolingNHttpClientConnectionManager pool;

    private HttpConnections(PoolingNHttpClientConnectionManager pool) {
        this.pool = pool;
    }

    /** None is opened yet. */
    static HttpConnections of(ConnectionSettings settings, Tls tls) {
        IOReactorConfig config = IOReactorConfig.custom()
                .setIoThreadCount(IO_THREADS)
                .setSoKeepAlive(true)
                .setTcpNoDelay(true)
                .setConnectTimeout(Math.toIntExact(settings.connectTimeout().toMillis()))
                .setSoTimeout(Math.toIntExact(settings.readTimeout().toMillis()))
                .build();
        try {
            PoolingNHttpClientConnectionManager pool = new PoolingNHttpClientConnectionManager(
                    new DefaultConnectingIOReactor(config, HttpConnections::daemon),
                    RegistryBuilder.<SchemeIOSessionStrategy>create()
                            .register("http", NoopIOSessionStrategy.INSTANCE)
                            .register("https", new SSLIOSessionStrategy(tls.context(), tls.hostnameVerifier()))
                            .build());
            pool.setDefaultMaxPerRoute(settings.maxConnections());
            pool.setMaxTotal(settings.maxConnections());
            return new HttpConnections(pool);
        } catch (IOReactorException e) {
            throw new ConnectException(
                    "connections to " + settings.nodes() + " cannot be set up: " + e.getMessage(), e);
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "tidegate-elasticsearch-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /** Makes these the client's connections. */
    HttpAsyncClientBuilder usedBy(HttpAsyncClientBuilder client) {
        return client.setConnectionManager(pool).setThreadFactory(HttpConnections::daemon);
    }

    /** Any thread. */
    ConnectionCounts counts() {
        PoolStats stats = pool.getTotalStats();
        return new ConnectionCounts(stats.getLeased(), stats.getAvailable(), stats.getPending(), stats.getMax());
    }
}
