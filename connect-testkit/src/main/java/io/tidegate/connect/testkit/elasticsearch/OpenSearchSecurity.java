package io.tidegate.connect.testkit.elasticsearch;

import io.tidegate.connect.testkit.net.Certificates;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.Passwords;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/**
 * OpenSearch's security plugin in one node: TLS for all connections, the user {@code admin}, and users whose client
 * certificate has their name. The class path of the node's module contains the plugin as a zip file.
 */
final class OpenSearchSecurity {
    static final String PLUGIN = "org.opensearch.security.OpenSearchSecurityPlugin";
    static final String USER = "admin";

    private static final String NODE = "node";
    private static final int SALT_BYTES = 16;
    private static final int LEAST_COST = 4;

    private final Path config;
    private final Certificates certificates;
    private final String password = Passwords.random();

    OpenSearchSecurity(Path config) {
        this.config = config;
        certificates = Certificates.authority(config);
        certificates.server(NODE).issue();
    }

    String password() {
        return password;
    }

    Certificates certificates() {
        return certificates;
    }

    Map<String, String> credentials() {
        String pair = USER + ":" + password;
        return Map.of(
                "Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    HttpClient http(Duration connect) {
        return Http.secure(certificates.trustingContext(), connect);
    }

    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String layer : List.of("transport", "http")) {
            String prefix = "plugins.security.ssl." + layer + ".";
            settings.put(prefix + "pemcert_filepath", NODE + ".pem");
            settings.put(prefix + "pemkey_filepath", NODE + ".key");
            settings.put(prefix + "pemtrustedcas_filepath", "ca.pem");
        }
        settings.put("plugins.security.ssl.http.enabled", "true");
        settings.put("plugins.security.ssl.http.clientauth_mode", "OPTIONAL");
        settings.put("plugins.security.nodes_dn", "['CN=" + NODE + "']");
        settings.put("plugins.security.allow_default_init_securityindex", "true");
        settings.put("plugins.security.restapi.roles_enabled", "['all_access']");
        settings.put("plugins.security.audit.type", "noop");
        settings.put("plugins.security.password.hashing.bcrypt.rounds", Integer.toString(LEAST_COST));
        return settings;
    }

    /**
     * Extracts the plugin's jars, and writes its configuration.
     *
     * @return the class path with these jars; those of the node have priority
     */
    String install(String classPath, Path folder) {
        Path jars = Folders.create(folder.resolve("security"));
        Path security = Folders.create(config.resolve("opensearch-security"));
        try (FileSystem zip = FileSystems.newFileSystem(plugin(classPath))) {
            extract(zip.getPath("/"), ".jar", jars);
            extract(zip.getPath("/config"), ".yml", security);
            Files.writeString(security.resolve("internal_users.yml"), users());
            Files.writeString(security.resolve("roles_mapping.yml"), mapping());
            Files.writeString(security.resolve("config.yml"), domains());
            try (Stream<Path> extracted = Files.list(jars)) {
                return Stream.concat(Stream.of(classPath), extracted.map(Path::toString))
                        .collect(Collectors.joining(File.pathSeparator));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path plugin(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .filter(entry -> entry.endsWith(".zip"))
                .findFirst()
                .map(Path::of)
                .orElseThrow(() -> new ServerException("This release has no security plugin"));
    }

    private static void extract(Path from, String ending, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(ending)).toList()) {
                Files.copy(file, to.resolve(file.getFileName().toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private String users() {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return """
                _meta:
                  type: internalusers
                  config_version: 2
                %s:
                  hash: "%s"
                  backend_roles: [admin]
                """.formatted(USER, OpenBSDBCrypt.generate(password.toCharArray(), salt, LEAST_COST));
    }

    /** The plugin's example also gives every user an index. */
    private static String mapping() {
        return """
                _meta:
                  type: rolesmapping
                  config_version: 2
                all_access:
                  backend_roles: [admin]
                """;
    }

    private static String domains() {
        return """
                _meta:
                  type: config
                  config_version: 2
                config:
                  dynamic:
                    authc:
                      certificate:
                        http_enabled: true
                        order: 0
                        http_authenticator:
                          type: clientcert
                          challenge: false
                          config:
                            username_attribute: cn
                        authentication_backend:
                          type: noop
                      password:
                        http_enabled: true
                        order: 1
                        http_authenticator:
                          type: basic
                          challenge: true
                        authentication_backend:
                          type: intern
                """;
    }
}
