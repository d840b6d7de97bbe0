package io.tidegate.connect.testkit.kafka;

import io.tidegate.connect.testkit.process.Server;
import java.net.MalformedURLException;
import java.net.URI;
import javax.management.remote.JMXServiceURL;

/** A worker of a distributed Kafka Connect cluster. */
public interface Connect extends Server {
    /** The root of the REST interface, for clients in this JVM. Does not change after the first start. */
    URI restUri();

    /** A client of {@link #restUri}. It can still be used after the worker has restarted. */
    default ConnectRest rest() {
        return new ConnectRest(restUri());
    }

    /**
     * The address of the worker's metrics, without password and TLS.
     *
     * @throws IllegalStateException if the worker was built without metrics
     */
    JMXServiceURL jmxUrl();

    /**
     * Writes or replaces a file that the running worker can read.
     *
     * @return the file's path for the worker
     */
    String writeFile(String name, String text);

    /** The address of a JVM whose RMI registry and connector have the same port. */
    static JMXServiceURL jmxUrl(String host, int port) {
        try {
            return new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + host + ":" + port + "/jmxrmi");
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("Not a valid host name: " + host, e);
        }
    }
}
