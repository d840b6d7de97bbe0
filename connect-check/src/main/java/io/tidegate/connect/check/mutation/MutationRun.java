package io.tidegate.connect.check.mutation;

import io.tidegate.connect.cli.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds each defect, and looks for it: first with schedules, which take seconds, then with cases on real servers. */
public final class MutationRun {
    private final Path home;
    private final PrintWriter out;

    /** Draws cases for a sink from a checkout until one fails. */
    @FunctionalInterface
    public interface Search {
        /** What failed first and after which time; empty if nothing failed in time. */
        Optional<Found> search(String sink, Path checkout) throws ToolException, InterruptedException;
    }

    /**
     * What failed.
     *
     * @param after which time, without building and starting servers
     * @param by the test of schedules, or {@code cases}
     */
    public record Found(Duration after, String by, long seed, String difference) {
        private static final int MOST = 160;

        String shown() {
            String shown = difference.length() > MOST ? difference.substring(0, MOST) + "..." : difference;
            return "found after %d s by %s, seed %d: %s".formatted(Math.max(1, after.toSeconds()), by, seed, shown);
        }
    }

    public MutationRun(Path home, PrintWriter out) {
        this.home = home;
        this.out = out;
    }

    /** Whether all defects were found that schedules and cases can find. */
    public boolean run(List<Mutation> mutations, Search search) throws ToolException, InterruptedException {
        MutatedCheckout checkout = new MutatedCheckout(home, home.resolve("connect-check/target/mutated"));
        List<String> lines = new ArrayList<>();
        boolean all = true;
        for (Mutation mutation : mutations) {
            if (!mutation.guard().isEmpty()) {
                lines.add(mutation.id() + ": not looked for here; " + mutation.guard() + " finds it");
                continue;
            }
            out.println("Mutation " + mutation.id() + ": " + mutation.defect() + " Building.");
            Optional<Found> found = checkout.build(mutation);
            if (found.isEmpty() && mutation.hasCases()) {
                found = search.search(mutation.sink(), checkout.folder());
            }
            all &= found.isPresent();
            String line = mutation.id() + ": " + found.map(Found::shown).orElse("NOT FOUND");
            lines.add(line);
            out.println(line);
        }
        out.println("Mutations:");
        lines.forEach(line -> out.println("  " + line));
        return all;
    }
}
