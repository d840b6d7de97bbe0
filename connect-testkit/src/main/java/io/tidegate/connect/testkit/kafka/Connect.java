package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.Server;
import java.net.MalformedURLException;
import java.net.URI;
import javax.management.remote.JMXServiceURL;

/** One distributed Kafka Connect worker. */
public interface Connect extends Server {
    /** Where the REST interface is for this JVM; fixed once the worker has started. */
    URI restUri();

    /** A client of {@link #restUri}; stays of use while the worker is down or restarts. */
    default ConnectRest rest() {
        return new ConnectRest(restUri());
    }

    /**
     * Where the worker's metrics are, without password or TLS.
     *
     * @throws IllegalStateException if the worker was built without them
     */
    JMXServiceURL jmxUrl();

    /**
     * Writes a file that the running worker can read, or writes it again.
     *
     * @return its path as the worker sees it
     */
    String writeFile(String name, String text);

    /** The address of a JVM's RMI registry and connector, both on one port. */
    static JMXServiceURL jmxUrl(String host, int port) {
        try {
            return new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + host + ":" + port + "/jmxrmi");
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("Not the host of a URL: " + host, e);
        }
    }
}
