package io.tidegate.connect.check.mutation;

import io.tidegate.connect.cli.ToolException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds each defect, and draws cases until one fails. */
public final class MutationRun {
    private final Path home;
    private final PrintWriter out;

    /** Draws cases for a sink from a checkout until one fails. */
    @FunctionalInterface
    public interface Search {
        /** What failed first and after which time; empty if nothing failed in time. */
        Optional<Found> search(String sink, Path checkout) throws ToolException, InterruptedException;
    }

    /** A case that failed. */
    public record Found(Duration after, long seed, String difference) {}

    public MutationRun(Path home, PrintWriter out) {
        this.home = home;
        this.out = out;
    }

    /** Whether all defects were found. */
    public boolean run(List<Mutation> mutations, Search search) throws ToolException, InterruptedException {
        MutatedCheckout checkout = new MutatedCheckout(home, home.resolve("connect-check/target/mutated"));
        List<String> lines = new ArrayList<>();
        boolean all = true;
        for (Mutation mutation : mutations) {
            out.println("Mutation " + mutation.id() + ": " + mutation.defect() + ". Building.");
            Optional<Found> found = search.search(mutation.sink(), checkout.build(mutation));
            all &= found.isPresent();
            String line = mutation.id() + ": "
                    + found.map(first -> "found after %d s by seed %d: %s"
                                    .formatted(first.after().toSeconds(), first.seed(), first.difference()))
                            .orElse("NOT FOUND");
            lines.add(line);
            out.println(line);
        }
        out.println("Mutations:");
        lines.forEach(line -> out.println("  " + line));
        return all;
    }
}
