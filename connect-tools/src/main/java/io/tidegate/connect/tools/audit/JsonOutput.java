package io.tidegate.connect.tools.audit;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidegate.connect.tools.output.Json;
import java.io.PrintWriter;

/** The result for programs: one object in a line for each finding, and one for the result. */
final class JsonOutput implements AuditOutput {
    private final PrintWriter out;

    JsonOutput(PrintWriter out) {
        this.out = requireNonNull(out, "out");
    }

    @Override
    public void begin(String connector, String store, Scope scope) {
        ObjectNode begin = Json.object();
        begin.put("type", "scope").put("connector", connector).put("store", store);
        scope.sorted().forEach((partition, stretch) -> begin.withArray("partitions")
                .addObject()
                .put("topic", partition.topic())
                .put("partition", partition.partition())
                .put("from", stretch.from())
                .put("to", stretch.to())
                .put("lag", stretch.lag()));
        Json.writeLine(out, begin);
    }

    @Override
    public void finding(Finding finding) {
        ObjectNode found = Json.object();
        found.put("type", finding.kind().word()).put("destination", finding.destination());
        if (!finding.topic().isEmpty()) {
            found.put("topic", finding.topic())
                    .put("partition", finding.partition())
                    .put("offset", finding.offset());
        }
        found.put("key", finding.key())
                .put("detail", finding.detail())
                .put("remedy", finding.remedy().action().word());
        finding.differences().forEach(difference -> {
            ObjectNode each = found.withArray("differences").addObject().put("path", difference.path());
            each.put("expected", difference.expected().orElse(null));
            each.put("found", difference.found().orElse(null));
        });
        if (!finding.remedy().changesStore()) {
            found.put("left", finding.remedy().reason());
        }
        Json.writeLine(out, found);
    }

    @Override
    public void end(Scope scope, Findings findings, long dropped) {
        ObjectNode result = Json.object();
        result.put("type", "result").put("status", findings.status()).put("compared", findings.compared());
        for (Finding.Kind kind : Finding.Kind.values()) {
            result.put(kind.word(), findings.count(kind));
        }
        result.put("refused", findings.refused())
                .put("skipped", dropped)
                .put("explained", findings.inFlight())
                .put("lag", scope.lag());
        ObjectNode unknown = result.putObject("unknown");
        findings.unknown().forEach(unknown::put);
        findings.notes().forEach(result.withArray("notes")::add);
        Json.writeLine(out, result);
    }

    @Override
    public void plan(RepairPlan plan) {
        ObjectNode planned = Json.object();
        planned.put("type", "plan").put("changes", plan.size());
        ObjectNode left = planned.putObject("left");
        plan.left().forEach(left::put);
        Json.writeLine(out, planned);
    }

    @Override
    public void repaired(Repair repair) {
        ObjectNode done = Json.object();
        done.put("type", "repair").put("repaired", repair.repaired());
        ObjectNode left = done.putObject("left");
        repair.left().forEach(left::put);
        Json.writeLine(out, done);
    }
}
