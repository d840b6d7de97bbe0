package io.tidegate.connect.elasticsearch.client.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The certificates of the tests' stub servers. */
public final class TestTls {
    private static final char[] STORE_PASSWORD = "changeit".toCharArray();

    private TestTls() {}

    /** A PEM file of the tests' resources. */
    public static String pem(String resource) throws IOException {
        try (InputStream in = TestTls.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** Of a server that is {@code localhost}, by the authority {@code ca.pem}. */
    public static SSLContext serverContext() throws Exception {
        try (InputStream in = TestTls.class.getResourceAsStream("server.p12")) {
            return serverContext(in, STORE_PASSWORD);
        }
    }

    /** Of the server whose key and certificate a PKCS12 file holds. */
    public static SSLContext serverContext(Path file, String password) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return serverContext(in, password.toCharArray());
        }
    }

    private static SSLContext serverContext(InputStream in, char[] password) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(in, password);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
