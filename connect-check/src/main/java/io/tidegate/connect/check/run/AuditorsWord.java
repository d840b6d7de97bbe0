package io.tidegate.connect.check.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidegate.connect.check.oracle.Difference;
import io.tidegate.connect.check.oracle.Difference.Kind;
import io.tidegate.connect.check.oracle.Promises;
import io.tidegate.connect.check.oracle.Promises.Delivery;
import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.tools.audit.Audit;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;

/**
 * Lets {@code tidegate audit} compare a case that ended as promised: it may find nothing. Then a row or document is damaged,
 * and it must find that and nothing else. Stateless.
 */
final class AuditorsWord {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> FINDINGS = Set.of("missing", "doubled", "different", "surplus");

    /** After these, the store is right and yet not what the topic has. */
    private static final Set<String> UNKNOWABLE = Set.of("store-emptied", "topic-recreated", "key-column-retyped");

    private static final int DIFFERENCES = 1;
    private static final int ALL_COMPARED = 0;
    private static final int NOT_ALL_COMPARED = 3;

    private AuditorsWord() {}

    /** What an audit printed. */
    private record Told(int status, List<JsonNode> findings, String output) {
        /** Whether it could not compare. */
        boolean isError() {
            return output.contains(ToolException.class.getName());
        }

        /** Whether the documentation has it end with an error. */
        boolean isLimit() {
            return output.contains("several topics go into ");
        }

        /** Whether it counts a row as unknown because a refused record has the same key. */
        boolean isLeftToALetter() {
            return status == NOT_ALL_COMPARED && output.contains("of whose key a record has a dead letter");
        }
    }

    /**
     * Compares. The connector must be at rest.
     *
     * @param choice of the damage
     * @param isDisturbed whether a server was away meanwhile, because of another case
     */
    static List<Difference> check(RunningCase running, Promises promises, Random choice, BooleanSupplier isDisturbed)
            throws Exception {
        if (running.planned().happenings().stream().anyMatch(UNKNOWABLE::contains)) {
            return List.of();
        }
        String malformed = running.settings().getOrDefault("behavior.on.malformed.documents", "dlq");
        if (!malformed.equals("dlq")) {
            return List.of(); // nothing tells a dropped document from a lost one
        }
        Told before = audit(running);
        if (before.isError() && (before.isLimit() || isDisturbed.getAsBoolean())) {
            return List.of();
        }
        boolean isOnce = promises.delivery() == Delivery.EXACTLY_ONCE && !running.isDeliveredAgain();
        List<JsonNode> wrong = before.findings().stream()
                .filter(finding -> isOnce || !finding.path("type").asText().equals("doubled"))
                .toList();
        if (!wrong.isEmpty()
                || !Set.of(ALL_COMPARED, DIFFERENCES, NOT_ALL_COMPARED).contains(before.status())) {
            return List.of(new Difference(
                    Kind.AUDIT,
                    "the store is as promised, but audit ends with " + before.status() + ": " + before.output()));
        }
        Optional<StoreAccess.Damage> damage =
                before.status() == ALL_COMPARED ? running.store().damage(running.name(), choice) : Optional.empty();
        if (damage.isEmpty()) {
            return List.of();
        }
        Told after = audit(running);
        boolean isFound = after.status() == DIFFERENCES
                && after.findings().size() == 1
                && after.findings()
                        .get(0)
                        .path("type")
                        .asText()
                        .equals(damage.get().finding());
        return isFound || after.isLeftToALetter() || (after.isError() && isDisturbed.getAsBoolean())
                ? List.of()
                : List.of(new Difference(
                        Kind.AUDIT,
                        damage.get().what() + ", but audit ends with " + after.status() + ": " + after.output()));
    }

    private static Told audit(RunningCase running) throws IOException {
        Path file = Files.createTempFile(running.name() + "-", ".json");
        try {
            Files.writeString(file, JSON.writeValueAsString(running.settingsWithName()));
            StringWriter out = new StringWriter();
            int status = new CommandLine(new Audit())
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(out))
                    .execute(
                            file.toString(),
                            "--bootstrap-servers",
                            running.lab().broker().bootstrapServers(),
                            "--json",
                            "--all");
            List<JsonNode> findings = new ArrayList<>();
            for (String line : out.toString().lines().toList()) {
                JsonNode told = line.startsWith("{") ? JSON.readTree(line) : JSON.createObjectNode();
                if (FINDINGS.contains(told.path("type").asText())) {
                    findings.add(told);
                }
            }
            return new Told(status, findings, out.toString());
        } finally {
            Files.delete(file);
        }
    }
}
