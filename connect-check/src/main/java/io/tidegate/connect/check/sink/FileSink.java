package io.tidegate.connect.check.sink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.check.draw.FileDraw;
import io.tidegate.connect.check.draw.Plot;
import io.tidegate.connect.check.draw.SinkDraw;
import io.tidegate.connect.check.oracle.Promises;
import io.tidegate.connect.check.oracle.StatedPromises;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.SinkKind;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.worker.MavenPlugin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Any sink, from a file like those of {@code benchmarks/peers}, with an object {@code promises} that says what the sink
 * promises with these settings, and an object {@code vary} with settings and the values to draw.
 */
public final class FileSink implements SinkKind {
    private final String name;
    private final JsonNode file;

    private FileSink(String name, JsonNode file) {
        this.name = name;
        this.file = file;
    }

    static FileSink read(Path path) throws ToolException {
        try {
            JsonNode file = new ObjectMapper().readTree(path.toFile());
            if (!file.path("name").isTextual()
                    || !file.path("config").isObject()
                    || !file.path("promises").isObject()) {
                throw new ToolException(path + " needs name, config and promises");
            }
            return new FileSink(file.path("name").asText(), file);
        } catch (IOException e) {
            throw new ToolException("cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String store() {
        return file.path("store").asText("postgresql");
    }

    @Override
    public Map<String, String> base() {
        return texts(file.path("config"));
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties()
                .forEach(member -> texts.put(member.getKey(), member.getValue().asText()));
        return texts;
    }

    private static List<String> list(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(item -> texts.add(item.asText()));
        return texts;
    }

    @Override
    public Promises promises(CheckCase planned, Map<String, String> settings) {
        return StatedPromises.of(texts(file.path("promises")));
    }

    SinkDraw draw(Plot plot) {
        Map<String, List<String>> vary = new LinkedHashMap<>();
        file.path("vary").properties().forEach(member -> vary.put(member.getKey(), list(member.getValue())));
        return new FileDraw(
                plot, name, store(), list(file.path("table").path("create")), vary, texts(file.path("promises")));
    }

    /** The folder of the plugin, fetched with Maven the first time. */
    Path plugin(Path home) throws ToolException, InterruptedException {
        return new MavenPlugin(home.resolve("connect-check/target/plugins")).fetch(name, list(file.path("maven")));
    }
}
