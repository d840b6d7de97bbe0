package io.tidegate.connect.quickstart.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.quickstart.view.Snapshot.Details;
import io.tidegate.connect.quickstart.view.Snapshot.SinkState;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ViewTest {
    private static final Snapshot HALFWAY = new Snapshot(
            Duration.ofMillis(2500),
            7201,
            7201,
            List.of(sink(Sink.JSONB, 7201, 2880, 0, 2), sink(Sink.ES, 3600, 1440, 3601, 4)));

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, UTF_8);

    @Test
    void showsOneLineForTheTopicAndOneForEachSink() {
        assertThat(Frame.lines(HALFWAY, 120))
                .containsExactly(
                        "  produced       7,201  [########################] 100 %  2.5 s",
                        "  jsonb          7,201  [########################] 100 %  2,880/s  lag 0  connections 2",
                        "  es             3,600  [###########.............]  49 %  1,440/s  lag 3,601  connections 4");
    }

    @Test
    void theBarLeavesRoomForTheNumbers() {
        Snapshot large = new Snapshot(
                Duration.ZERO, 1_000_000, 1_000_000, List.of(sink(Sink.JSONB, 587_655, 148_123, 412_345, 12)));

        assertThat(Frame.lines(large, 79))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(79))
                .last()
                .asString()
                .endsWith("148,123/s  lag 412,345  connections 12");
    }

    @Test
    void saysWhatIsUnknown() {
        SinkState es = new SinkState(Sink.ES, 5, OptionalLong.empty(), OptionalLong.empty(), 1, Details.NONE);

        assertThat(Frame.lines(new Snapshot(Duration.ZERO, 10, 10, List.of(es)), 120)
                        .get(1))
                .endsWith("unknown/s  lag unknown  connections 1");
    }

    @Test
    void keepsTheBarWithinItsBounds() {
        assertThat(Frame.bar(0, 10, 24)).isEqualTo("[........................]   0 %");
        assertThat(Frame.bar(20, 10, 24)).isEqualTo("[########################] 100 %");
    }

    @Test
    void writesPlainLinesWithoutEscapeSequences() {
        new PlainView(out).show(HALFWAY);

        assertThat(bytes.toString(UTF_8).strip())
                .isEqualTo("2.5 s  produced 7201/7201 | jsonb stored 7201 (2880/s) lag 0 connections 2"
                        + " | es stored 3600 (1440/s) lag 3601 connections 4");
    }

    @Test
    void redrawsInPlaceOnATerminal() {
        View view = new TerminalView(out, 120);
        view.show(HALFWAY);
        assertThat(bytes.toString(UTF_8)).doesNotContain("\u001b[3A");

        view.show(HALFWAY);
        assertThat(bytes.toString(UTF_8)).containsOnlyOnce("\u001b[3A");
    }

    @Test
    void doesNotOverwriteLinesPrintedInBetween() {
        View view = new TerminalView(out, 120);
        view.show(HALFWAY);
        view.say("RESULT");
        view.show(HALFWAY);

        assertThat(bytes.toString(UTF_8)).contains("RESULT").doesNotContain("\u001b[3A");
    }

    @Test
    void neverWrapsALine() {
        new TerminalView(out, 40).show(HALFWAY);

        assertThat(bytes.toString(UTF_8).replace("\u001b[K", "").lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThan(40));
    }

    @Test
    void drawsOnATerminalThatDoesNotKnowItsWidth() {
        new TerminalView(out, 0).show(HALFWAY);

        assertThat(bytes.toString(UTF_8)).contains("1,440/s");
    }

    private static SinkState sink(Sink sink, long stored, long rate, long lag, int connections) {
        return new SinkState(sink, stored, OptionalLong.of(rate), OptionalLong.of(lag), connections, Details.NONE);
    }
}
