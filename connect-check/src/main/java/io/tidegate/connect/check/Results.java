package io.tidegate.connect.check;

import io.tidegate.connect.check.draw.Seeds;
import io.tidegate.connect.check.draw.SinkDraw;
import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.report.ReportFile;
import io.tidegate.connect.check.run.Outcome;
import io.tidegate.connect.check.sink.Sinks;
import io.tidegate.connect.cli.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Tells the results of a session. */
final class Results {
    private static final int POSSIBLE = 6_000;
    private static final long POSSIBLE_SEED = 99;

    private final Session session;
    private final Sinks sinks;
    private final PrintWriter out;

    Results(Session session, Sinks sinks, PrintWriter out) {
        this.session = session;
        this.sinks = sinks;
        this.out = out;
    }

    /** One word for an outcome. */
    static String word(Outcome outcome) {
        return outcome.refusal()
                .map(reason -> "not run: " + reason)
                .orElse(outcome.failed() ? "FAILED" : "as promised");
    }

    void print(double minutes) {
        out.println("%d cases with %d records in %.1f minutes: %d as promised, %d failed, %d not run."
                .formatted(
                        session.done(),
                        session.records(),
                        minutes,
                        session.done()
                                - session.failed().size()
                                - session.refused().size(),
                        session.failed().size(),
                        session.refused().size()));
        List<String> never = neverMet();
        int met = session.pairs().met();
        out.println(String.format(
                Locale.ROOT,
                "%d pairs of settings' values and events have met, %.1f %% of those and of what %d other draws put together.",
                met,
                100.0 * met / Math.max(1, met + never.size()),
                POSSIBLE));
    }

    private List<String> neverMet() {
        List<CheckCase> possible = new ArrayList<>();
        List<SinkDraw> draws = sinks.draws();
        for (int i = 0; i < POSSIBLE; i++) {
            possible.add(draws.get(i % draws.size()).draw(Seeds.of(POSSIBLE_SEED, i)));
        }
        return session.pairs().neverMet(possible);
    }

    void write(Path file, long seed, double minutes) throws ToolException {
        Map<String, String> notDrawn = new TreeMap<>();
        sinks.all().forEach(checked -> checked.draw()
                .notDrawn()
                .forEach((setting, reason) -> notDrawn.put(checked.kind().name() + " " + setting, reason)));
        try {
            new ReportFile(
                            seed,
                            minutes,
                            session.done(),
                            session.records(),
                            session.pairs(),
                            neverMet(),
                            notDrawn,
                            session.failed())
                    .write(file);
        } catch (IOException e) {
            throw new ToolException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
