package io.tidegate.connect.elasticsearch.client.tls;

import static java.util.Objects.requireNonNull;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The sink's own certificate, as the files hold it when a handshake begins. A handshake asks first for an alias and then
 * for what it stands for; files that change in between cost that one handshake.
 */
final class ReloadingKeyManager extends X509ExtendedKeyManager {
    private final Supplier<ClientKeys> keys;

    ReloadingKeyManager(Supplier<ClientKeys> keys) {
        this.keys = requireNonNull(keys, "keys");
    }

    private X509ExtendedKeyManager current() {
        return keys.get().manager();
    }

    @Override
    public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return current().chooseEngineClientAlias(keyTypes, issuers, engine);
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return current().chooseClientAlias(keyTypes, issuers, socket);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return current().getClientAliases(keyType, issuers);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return current().getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return current().getPrivateKey(alias);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return new String[0];
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        throw new UnsupportedOperationException("the sink is no server");
    }
}
