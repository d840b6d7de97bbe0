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
        print(begin);
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
        found.put("key", finding.key()).put("detail", finding.detail());
        print(found);
    }

    @Override
    public void end(Scope scope, Findings findings, long dropped) {
        ObjectNode result = Json.object();
        result.put("type", "result").put("compared", findings.compared());
        for (Finding.Kind kind : Finding.Kind.values()) {
            result.put(kind.word(), findings.count(kind));
        }
        result.put("repaired", findings.repaired())
                .put("refused", findings.refused())
                .put("skipped", dropped)
                .put("explained", findings.inFlight())
                .put("lag", scope.lag());
        ObjectNode unknown = result.putObject("unknown");
        findings.unknown().forEach(unknown::put);
        findings.notes().forEach(result.withArray("notes")::add);
        print(result);
    }

    private void print(ObjectNode object) {
        out.println(object);
        out.flush();
    }
}
