package io.tidegate.connect.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.tools.audit.Finding.Kind;
import io.tidegate.connect.tools.audit.Scope.Stretch;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FindingsTest {
    private static final Scope SCOPE =
            new Scope(Map.of(new TopicPartition("tides", 0), new Stretch(0, 5, 100, 130, false)), false, false);

    private static Finding finding(Kind kind, long offset) {
        return new Finding(
                kind,
                "\"tides\"",
                "tides",
                0,
                offset,
                "k" + offset,
                "no row",
                List.of(),
                Remedy.of(Remedy.Action.WRITE));
    }

    @Test
    void doesNotCountWhatIsInTheDeadLetterTopic() {
        List<Finding> passed = new ArrayList<>();
        Findings findings = new Findings(passed::add);
        findings.compared(10);
        findings.deadLetters(Set.of("tides-0@7"), false);
        findings.add(finding(Kind.MISSING, 7));
        findings.add(finding(Kind.DOUBLED, 7));
        findings.add(finding(Kind.MISSING, 8));
        assertThat(passed).containsExactly(finding(Kind.DOUBLED, 7), finding(Kind.MISSING, 8));
        assertThat(findings.refused()).isOne();
        assertThat(findings.compared()).isEqualTo(9);
        assertThat(findings.total()).isEqualTo(2);
    }

    @Test
    void printsTheFirstDifferencesAndCountsTheOthers() {
        StringWriter text = new StringWriter();
        AuditOutput output = new TextOutput(new PrintWriter(text), false);
        Findings findings = new Findings(output::finding);
        findings.compared(1_000);
        output.begin("tides", "PostgreSQL", SCOPE);
        for (int offset = 5; offset < 28; offset++) {
            findings.add(finding(Kind.MISSING, offset));
        }
        findings.unknown("rows that are 50 % sure", 3);
        output.end(SCOPE, findings, 0);
        assertThat(text.toString().lines())
                .contains(
                        "  tides-0: offsets 5 to 100, lag 30 (not compared)",
                        "missing    tides-0@24  key k24  \"tides\"  no row",
                        "... and 3 more (--all prints them)",
                        "1,000 records compared: 23 missing",
                        "30 newer records were not compared: the connector has not committed them",
                        "Not compared: 3 rows that are 50 % sure")
                .doesNotContain("missing    tides-0@25  key k25  \"tides\"  no row");
    }

    @Test
    void printsOneObjectInALine() {
        StringWriter text = new StringWriter();
        AuditOutput output = new JsonOutput(new PrintWriter(text));
        Findings findings = new Findings(output::finding);
        output.begin("tides", "PostgreSQL", SCOPE);
        findings.add(finding(Kind.DIFFERENT, 9));
        output.end(SCOPE, findings, 4);
        assertThat(text.toString().lines())
                .hasSize(3)
                .element(1)
                .isEqualTo(
                        "{\"version\":1,\"type\":\"different\",\"destination\":\"\\\"tides\\\"\",\"topic\":\"tides\",\"partition\":0,"
                                + "\"offset\":9,\"key\":\"k9\",\"detail\":\"no row\",\"remedy\":\"write\"}");
        assertThat(text.toString().lines().toList().get(2)).contains("\"different\":1", "\"skipped\":4", "\"lag\":30");
    }
}
