package io.tidegate.connect.check.sink;

import io.tidegate.connect.check.draw.JsonbDraw;
import io.tidegate.connect.check.draw.Plot;
import io.tidegate.connect.check.draw.SearchDraw;
import io.tidegate.connect.check.draw.SinkDraw;
import io.tidegate.connect.check.run.PostgresAccess;
import io.tidegate.connect.check.run.SearchAccess;
import io.tidegate.connect.check.run.SinkKind;
import io.tidegate.connect.check.run.StoreAccess;
import io.tidegate.connect.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The sinks of a run.
 *
 * @param all each sink with what draws its cases and the folder of its plugin
 * @param vectors whether the stores have vectors
 */
public record Sinks(List<Checked> all, boolean vectors) {
    /** A sink of a run. */
    public record Checked(SinkKind kind, SinkDraw draw, Path plugin) {}

    /**
     * The sinks that are named.
     *
     * @param names {@code jsonb}, {@code es} or files; both of ours if empty
     * @param home the checkout
     * @param vectors whether the stores have vectors
     * @throws ToolException if a file is none of a sink, or its plugin cannot be fetched
     */
    public static Sinks of(List<String> names, Path home, Plot plot, boolean vectors)
            throws ToolException, InterruptedException {
        List<Checked> all = new ArrayList<>();
        for (String name : names.isEmpty() ? List.of(JsonbSink.NAME, SearchSink.NAME) : names) {
            if (name.equals(JsonbSink.NAME)) {
                all.add(new Checked(
                        new JsonbSink(),
                        new JsonbDraw(plot, vectors),
                        home.resolve("connect-jsonb-sink/target/plugin")));
            } else if (name.equals(SearchSink.NAME)) {
                all.add(new Checked(
                        new SearchSink(),
                        new SearchDraw(plot, vectors),
                        home.resolve("connect-es-bulk-sink/target/plugin")));
            } else {
                FileSink file = FileSink.read(Path.of(name));
                all.add(new Checked(file, file.draw(plot), file.plugin(home)));
            }
        }
        return new Sinks(List.copyOf(all), vectors);
    }

    /**
     * Servers for these sinks, not started.
     *
     * @param isOpenSearch whether documents go to OpenSearch instead of Elasticsearch
     */
    public List<StoreAccess> stores(boolean isOpenSearch) {
        return all.stream()
                .map(checked -> checked.kind().store())
                .distinct()
                .map(kind -> store(kind, isOpenSearch))
                .toList();
    }

    private StoreAccess store(String kind, boolean isOpenSearch) {
        if (kind.equals("postgresql")) {
            return new PostgresAccess(vectors);
        }
        return isOpenSearch ? SearchAccess.openSearch() : SearchAccess.elasticsearch(vectors);
    }

    public List<Path> plugins() {
        return all.stream().map(Checked::plugin).distinct().toList();
    }

    public Map<String, SinkKind> byName() {
        return all.stream().collect(Collectors.toMap(checked -> checked.kind().name(), Checked::kind));
    }

    public List<SinkDraw> draws() {
        return all.stream().map(Checked::draw).toList();
    }

    /**
     * What draws the cases of a sink.
     *
     * @throws ToolException if the run has no such sink
     */
    public SinkDraw draw(String name) throws ToolException {
        require(name);
        return all.stream()
                .filter(checked -> checked.kind().name().equals(name))
                .findFirst()
                .orElseThrow()
                .draw();
    }

    /**
     * Does nothing if the run has a sink.
     *
     * @throws ToolException if it has none of this name
     */
    public void require(String name) throws ToolException {
        if (!byName().containsKey(name)) {
            throw new ToolException("the run has no sink " + name + ": set --sink");
        }
    }
}
