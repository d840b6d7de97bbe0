package io.tidegate.connect.bench.form;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.ChangeEvents;
import io.tidegate.connect.lab.tides.TideSource;
import io.tidegate.connect.lab.worker.MavenPlugin;
import io.tidegate.connect.testkit.process.Folders;
import io.tidegate.connect.testkit.registry.ApicurioRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.avro.AvroRuntimeException;

/** What values need to be in a form: their bytes, a registry, plugins. One thread. */
public final class ValueForms implements AutoCloseable {
    /** The environment variable with the registry's address that a worker needs for {@link ValueForm#AVRO}. */
    static final String REGISTRY_URL = "TIDEGATE_REGISTRY_URL";

    private static final byte[] FRAME = {0, 0, 0, 0, 7};

    private final MavenPlugin downloads;
    private final ApicurioRegistry registry = ApicurioRegistry.create();
    private final List<Path> folders = new ArrayList<>();

    /** Uses this folder for plugins that Maven fetches. */
    public ValueForms(Path downloads) {
        this.downloads = new MavenPlugin(downloads);
    }

    /** The source's records with values of this form. The topic's name is that of its schema. */
    public TideSource records(ValueForm form, String topic, TideSource source)
            throws ToolException, InterruptedException {
        return switch (form) {
            case BYTES, STRING, JSON -> source;
            case TOMBSTONE -> each(source, () -> value -> new byte[0]);
            case FRAMED -> each(source, () -> value -> behind(FRAME, value));
            case AVRO, AVRO_CONVERTER -> {
                AvroRecords records = AvroRecords.like(first(source));
                registry.start();
                long id = registry.register(topic, "AVRO", records.schema());
                yield each(source, () -> value -> records.encode(id, value));
            }
            case DEBEZIUM -> each(source, () -> ChangeEvents.withoutSchema()::of);
            case DEBEZIUM_SCHEMA, DEBEZIUM_UNWRAP -> {
                byte[] first = first(source);
                yield each(source, () -> ChangeEvents.withSchema(first)::of);
            }
        };
    }

    /** The environment of workers; complete when all records are made. */
    public Map<String, String> environment() {
        return registry.isRunning() ? Map.of(REGISTRY_URL, registry.url().toString()) : Map.of();
    }

    /** The folders for {@code plugin.path} that a worker needs beside the connector's. */
    public List<Path> plugins(ValueForm form) throws ToolException, InterruptedException {
        return switch (form) {
            case AVRO_CONVERTER -> List.of(converters());
            case DEBEZIUM_UNWRAP -> List.of(downloads.debezium());
            default -> List.of();
        };
    }

    private Path converters() {
        Path folder = Folders.temporary("converters");
        folders.add(folder);
        ApicurioRegistry.linkConverters(folder.resolve("apicurio-converters"));
        return folder;
    }

    private static byte[] first(TideSource source) throws ToolException, InterruptedException {
        List<byte[]> values = new ArrayList<>();
        source.stream(1, (key, value) -> values.add(value));
        return values.stream().findFirst().orElseThrow(() -> new ToolException("there are no records"));
    }

    private static TideSource each(TideSource source, Supplier<UnaryOperator<byte[]>> encoders) {
        return (limit, receiver) -> {
            UnaryOperator<byte[]> encoder = encoders.get();
            try {
                return source.stream(limit, (key, value) -> receiver.accept(key, encoder.apply(value)));
            } catch (IllegalArgumentException | AvroRuntimeException e) {
                throw new ToolException("a record is not like the first one: " + e.getMessage(), e);
            }
        };
    }

    static byte[] behind(byte[] frame, byte[] value) {
        byte[] framed = new byte[frame.length + value.length];
        System.arraycopy(frame, 0, framed, 0, frame.length);
        System.arraycopy(value, 0, framed, frame.length, value.length);
        return framed;
    }

    @Override
    public void close() {
        registry.close();
        folders.forEach(Folders::delete);
    }
}
