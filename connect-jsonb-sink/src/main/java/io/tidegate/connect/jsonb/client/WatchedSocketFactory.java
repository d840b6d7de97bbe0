package io.tidegate.connect.jsonb.client;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Makes the driver's sockets. The driver creates the factory by its class name, with the property {@code
 * socketFactoryArg}, and connects the sockets itself.
 */
public final class WatchedSocketFactory extends SocketFactory {
    private final String sockets;

    /** Makes the sockets of the pool with this name. */
    public WatchedSocketFactory(String sockets) {
        this.sockets = requireNonNull(sockets, "sockets");
    }

    @Override
    public Socket createSocket() {
        return WatchedSockets.create(sockets);
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException();
    }
}
