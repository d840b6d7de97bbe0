package io.tidegate.connect.quickstart.view;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.quickstart.view.Snapshot.SinkState;
import io.tidegate.connect.quickstart.view.Snapshot.Tide;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/** Shows the progress on a page, in addition to another view. An open page keeps the last state after the end. */
public final class WebView implements View, AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final int MOST_LINES = 500;

    /** Four times as long as an open page takes to ask again. */
    private static final Duration LAST_STATE = Duration.ofSeconds(2);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final View terminal;
    private final boolean changes;
    private final WebPage page;
    private final Deque<String> lines = new ArrayDeque<>();
    private Phase phase = Phase.STARTING;
    private Optional<Snapshot> last = Optional.empty();
    private Duration lastInTerminal = Duration.ZERO;
    private boolean ended;

    /**
     * Starts to serve the page.
     *
     * @param port 0 for any that is free
     * @param changes whether the snapshots are of changed rows, which only the page shows
     */
    public WebView(View terminal, int port, boolean changes) throws ToolException {
        this(terminal, changes, new WebPage(port, LAST_STATE));
    }

    WebView(View terminal, boolean changes, WebPage page) {
        this.terminal = terminal;
        this.changes = changes;
        this.page = page;
        publish();
    }

    public URI address() {
        return page.address();
    }

    @Override
    public synchronized void show(Snapshot snapshot) {
        if (!changes && snapshot.elapsed().minus(lastInTerminal).compareTo(terminal.interval()) >= 0) {
            lastInTerminal = snapshot.elapsed();
            terminal.show(snapshot);
        }
        last = Optional.of(snapshot);
        publish();
    }

    @Override
    public Duration interval() {
        return INTERVAL;
    }

    @Override
    public synchronized void say(String line) {
        terminal.say(line);
        add(line);
    }

    /** Any user of this machine can open the page. */
    @Override
    public void sayInPrivate(String line) {
        terminal.say(line);
    }

    @Override
    public synchronized void enter(Phase next) {
        phase = next;
        publish();
    }

    @Override
    public boolean showsDetails() {
        return true;
    }

    /** Shows why the pipeline has failed. The terminal gets that from the command line. */
    public synchronized void fail(String reason) {
        phase = Phase.FAILED;
        reason.lines().forEach(this::add);
        publish();
    }

    private void add(String line) {
        if (lines.size() == MOST_LINES) {
            lines.removeFirst();
        }
        lines.addLast(line);
        publish();
    }

    private void publish() {
        ObjectNode state = JSON.createObjectNode();
        state.put("changes", changes);
        state.put("phase", phase.name());
        state.put("ended", ended);
        last.ifPresent(snapshot -> {
            state.put("seconds", snapshot.elapsed().toMillis() / 1e3);
            state.put("produced", snapshot.produced());
            state.put("total", snapshot.total());
            ObjectNode sinks = state.putObject("sinks");
            snapshot.sinks().forEach(sink -> add(sinks.putObject(sink.sink().label()), sink));
        });
        lines.forEach(state.putArray("lines")::add);
        page.publish(state.toString());
    }

    private static void add(ObjectNode json, SinkState sink) {
        json.put("stored", sink.stored());
        add(json, "rate", sink.rate());
        add(json, "lag", sink.lag());
        add(json, "inFlight", sink.details().inFlight());
        json.put("connections", sink.connections());
        sink.details().tide().ifPresent(tide -> add(json.putObject("tide"), tide));
    }

    /** A number that is unknown is null, never 0. */
    private static void add(ObjectNode json, String name, OptionalLong number) {
        number.ifPresentOrElse(known -> json.put(name, known), () -> json.putNull(name));
    }

    private static void add(ObjectNode json, Tide tide) {
        json.put("station", tide.station());
        ArrayNode levels = json.putArray("levels");
        tide.levels()
                .forEach(level ->
                        levels.addArray().add(level.time().toEpochMilli()).add(level.metres()));
    }

    @Override
    public synchronized void close() {
        ended = true;
        publish();
        page.close();
    }
}
