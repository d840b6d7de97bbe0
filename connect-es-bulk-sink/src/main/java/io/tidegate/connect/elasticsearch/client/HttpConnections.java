package io.tidegate.connect.elasticsearch.client;

import io.tidegate.connect.common.tls.Tls;
import io.tidegate.connect.common.tls.TlsSettings;
import io.tidegate.connect.common.tls.VerificationMode;
import io.tidegate.connect.elasticsearch.settings.ConnectionSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.HostnameVerifier;
import org.apache.http.HttpResponse;
import org.apache.http.config.RegistryBuilder;
import org.apache.http.conn.ssl.DefaultHostnameVerifier;
import org.apache.http.conn.ssl.NoopHostnameVerifier;
import org.apache.http.impl.client.DefaultConnectionKeepAliveStrategy;
import org.apache.http.impl.conn.DefaultSchemePortResolver;
import org.apache.http.impl.nio.client.HttpAsyncClientBuilder;
import org.apache.http.impl.nio.conn.ManagedNHttpClientConnectionFactory;
import org.apache.http.impl.nio.conn.PoolingNHttpClientConnectionManager;
import org.apache.http.impl.nio.reactor.DefaultConnectingIOReactor;
import org.apache.http.impl.nio.reactor.IOReactorConfig;
import org.apache.http.nio.conn.NoopIOSessionStrategy;
import org.apache.http.nio.conn.SchemeIOSessionStrategy;
import org.apache.http.nio.conn.ssl.SSLIOSessionStrategy;
import org.apache.http.nio.reactor.IOReactorException;
import org.apache.http.pool.PoolStats;
import org.apache.http.protocol.HttpContext;
import org.apache.kafka.connect.errors.ConnectException;

/** The bounded connection pool of one client, and the threads that serve the connections. The client closes it. */
final class HttpConnections {
    private static final AtomicInteger THREADS = new AtomicInteger();
    private static final int IO_THREADS = Math.min(4, Runtime.getRuntime().availableProcessors());

    private final PoolingNHttpClientConnectionManager pool;
    private final Duration maxIdle;

    private HttpConnections(PoolingNHttpClientConnectionManager pool, Duration maxIdle) {
        this.pool = pool;
        this.maxIdle = maxIdle;
    }

    /** Starts without open connections. */
    static HttpConnections of(ConnectionSettings settings, Tls tls, NodeAddresses addresses) {
        IOReactorConfig config = IOReactorConfig.custom()
                .setIoThreadCount(IO_THREADS)
                .setSoKeepAlive(true)
                .setTcpNoDelay(true)
                .setConnectTimeout(Math.toIntExact(settings.connectTimeout().toMillis()))
                .setSoTimeout(Math.toIntExact(settings.readTimeout().toMillis()))
                .build();
        try {
            DefaultConnectingIOReactor reactor = new DefaultConnectingIOReactor(config, HttpConnections::daemon);
            long lifetime = settings.maxLifetime().toMillis();
            PoolingNHttpClientConnectionManager pool = new PoolingNHttpClientConnectionManager(
                    reactor,
                    ManagedNHttpClientConnectionFactory.INSTANCE,
                    RegistryBuilder.<SchemeIOSessionStrategy>create()
                            .register("http", NoopIOSessionStrategy.INSTANCE)
                            .register(
                                    "https", new SSLIOSessionStrategy(tls.context(), hostnameVerifier(settings.tls())))
                            .build(),
                    DefaultSchemePortResolver.INSTANCE,
                    addresses,
                    lifetime == 0 ? -1 : lifetime,
                    TimeUnit.MILLISECONDS);
            pool.setDefaultMaxPerRoute(settings.maxConnections());
            pool.setMaxTotal(settings.maxConnections());
            return new HttpConnections(pool, settings.maxIdle());
        } catch (IOReactorException e) {
            throw new ConnectException(
                    "connections to " + settings.nodes() + " cannot be set up: " + e.getMessage(), e);
        }
    }

    private static HostnameVerifier hostnameVerifier(TlsSettings settings) {
        return settings.verification() == VerificationMode.FULL
                ? new DefaultHostnameVerifier()
                : NoopHostnameVerifier.INSTANCE;
    }

    static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "tidegate-elasticsearch-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /** Makes the client use these connections. */
    HttpAsyncClientBuilder usedBy(HttpAsyncClientBuilder client) {
        return client.setConnectionManager(pool)
                .setThreadFactory(HttpConnections::daemon)
                .setKeepAliveStrategy(this::keepAliveMs);
    }

    /** How long a connection may be idle before it is closed; less if the server says so. */
    private long keepAliveMs(HttpResponse response, HttpContext context) {
        long ours = maxIdle.isZero() ? -1 : maxIdle.toMillis();
        long theirs = DefaultConnectionKeepAliveStrategy.INSTANCE.getKeepAliveDuration(response, context);
        return ours < 0 ? theirs : theirs < 0 ? ours : Math.min(ours, theirs);
    }

    /**
     * Any thread.
     *
     * @param waiting how many requests wait for one of them
     */
    ConnectionCounts counts(int waiting) {
        PoolStats stats = pool.getTotalStats();
        return new ConnectionCounts(stats.getLeased(), stats.getAvailable(), waiting, stats.getMax());
    }
}
