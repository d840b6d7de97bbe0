package io.tidegate.connect.testkit.registry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.testkit.net.Http;
import io.tidegate.connect.testkit.net.RestClient;
import io.tidegate.connect.testkit.process.ChildServer;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.process.Jvm;
import io.tidegate.connect.testkit.process.Ports;
import io.tidegate.connect.testkit.process.ServerClassPath;
import io.tidegate.connect.testkit.process.ServerException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** Apicurio Registry on loopback, with its schemas in memory. It also speaks the API of Confluent's registry. */
public final class ApicurioRegistry extends ChildServer {
    /** The class of the converter for Avro. */
    public static final String AVRO_CONVERTER = "io.apicurio.registry.utils.converter.AvroConverter";

    /** The class of the converter for JSON whose schema in the registry is one of Connect. */
    public static final String CONNECT_JSON_CONVERTER = "io.apicurio.registry.utils.converter.ExtJsonConverter";

    /** The class of the converter that hands on what a deserializer of the registry makes. */
    public static final String SERDE_CONVERTER = "io.apicurio.registry.utils.converter.SerdeBasedConverter";

    private static final String MODULE = "apicurio-2";
    private static final String ARCHIVE = ".tar.gz";

    private final HttpClient http = Http.plain(Duration.ofSeconds(2));

    private ApicurioRegistry() {
        super("apicurio");
    }

    /** Creates a registry without starting it. */
    public static ApicurioRegistry create() {
        return new ApicurioRegistry();
    }

    /** The registry's own API, for its converters. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + port("http") + "/apis/registry/v2");
    }

    /**
     * Registers a schema.
     *
     * @param type such as {@code AVRO}, {@code JSON} or {@code KCONNECT}
     * @return its global id
     */
    public long register(String artifact, String type, String schema) {
        return RestClient.parse(Http.exchange(
                        http,
                        "POST",
                        URI.create(url() + "/groups/default/artifacts"),
                        Map.of("X-Registry-ArtifactId", artifact, "X-Registry-ArtifactType", type),
                        schema))
                .path("globalId")
                .asLong();
    }

    /**
     * Registers a schema of Avro that names a type of another.
     *
     * @param type the full name
     * @param other the artifact that has it, in its first version
     * @return its content id
     */
    public long registerReferring(String artifact, String schema, String type, String other) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("content", schema);
        body.putArray("references")
                .addObject()
                .put("groupId", "default")
                .put("artifactId", other)
                .put("version", "1")
                .put("name", type);
        return RestClient.parse(Http.exchange(
                        http,
                        "POST",
                        URI.create(url() + "/groups/default/artifacts"),
                        Map.of(
                                "X-Registry-ArtifactId", artifact,
                                "X-Registry-ArtifactType", "AVRO",
                                "Content-Type", "application/create.extended+json"),
                        body.toString()))
                .path("contentId")
                .asLong();
    }

    /**
     * Links the jars of the registry's converters into this folder, which a worker's plugin path may contain. They have
     * no manifest for {@code plugin.discovery=service_load}, so one is added.
     */
    public static void linkConverters(Path folder) {
        entries()
                .filter(entry -> entry.toString().endsWith(".jar"))
                .forEach(jar -> link(Folders.create(folder).resolve(jar.getFileName()), jar));
        try (JarOutputStream manifest = new JarOutputStream(Files.newOutputStream(folder.resolve("manifest.jar")))) {
            manifest.putNextEntry(new JarEntry("META-INF/services/org.apache.kafka.connect.storage.Converter"));
            manifest.write(String.join("\n", AVRO_CONVERTER, CONNECT_JSON_CONVERTER, SERDE_CONVERTER)
                    .getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new ServerException("Cannot write a manifest into " + folder + ": " + e, e);
        }
    }

    private static void link(Path link, Path jar) {
        try {
            Files.createSymbolicLink(link, jar);
        } catch (IOException e) {
            throw new ServerException("Cannot link " + jar + ": " + e, e);
        }
    }

    private static Stream<Path> entries() {
        return Stream.of(ServerClassPath.of(MODULE).split(File.pathSeparator, -1))
                .map(Path::of);
    }

    @Override
    protected Launch prepare() {
        Path app = folder().resolve("app");
        if (!Files.exists(app)) {
            extract(app);
        }
        List<String> options = List.of("-Dquarkus.http.host=127.0.0.1", "-Dquarkus.http.port=" + port("http"));
        String classPath = app.resolve("*").toString() + File.pathSeparator + app.resolve("lib/*");
        return new Launch(
                Jvm.ordinary()
                        .withFastStart()
                        .command(classPath, options, "io.quarkus.runner.GeneratedMain", List.of()),
                Map.of());
    }

    private static void extract(Path app) {
        Path archive = entries()
                .filter(entry -> entry.toString().endsWith(ARCHIVE))
                .findFirst()
                .orElseThrow(() -> new ServerException("The class path of " + MODULE + " has no archive"));
        try (InputStream in = Files.newInputStream(archive);
                TarArchiveInputStream tar = new TarArchiveInputStream(new GZIPInputStream(in))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isFile()) {
                    Path file = app.resolve(entry.getName()).normalize();
                    Files.createDirectories(file.getParent());
                    Files.copy(tar, file);
                }
            }
        } catch (IOException e) {
            throw new ServerException("Cannot extract " + archive + ": " + e, e);
        }
    }

    @Override
    protected boolean isReady() {
        return Ports.accepts(port("http")) && Http.status(http, URI.create(url() + "/system/info"), Map.of()) == 200;
    }

    @Override
    public String toString() {
        return "Apicurio Registry on port " + port("http");
    }
}
