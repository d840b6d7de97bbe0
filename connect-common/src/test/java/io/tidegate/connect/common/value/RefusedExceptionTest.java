package io.tidegate.connect.common.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class RefusedExceptionTest {
    @Test
    void endsTheMessageOfADeadLetterWithTheFactsAsJson() {
        RefusedException refusal = RefusedException.of("constraint", "violates \"x\" {\"kind\":")
                .with("sqlstate", "23514")
                .with("column", "")
                .with("table", "\"public\".\"odd {\"")
                .with("attempts", 3);

        assertThat(refusal).hasMessage("violates \"x\" {\"kind\":");
        assertThat(refusal.facts())
                .containsExactly(
                        entry("kind", "constraint"),
                        entry("sqlstate", "23514"),
                        entry("table", "\"public\".\"odd {\""),
                        entry("attempts", 3L));
        assertThat(refusal.asReported())
                .hasMessage("violates \"x\" {\"kind\": {\"kind\":\"constraint\",\"sqlstate\":\"23514\","
                        + "\"table\":\"\\\"public\\\".\\\"odd {\\\"\",\"attempts\":3}");
    }

    @Test
    void isUnusableWhenNoServerSawIt() {
        IOException cause = new IOException("line 1");

        assertThat(new RefusedException("not JSON", cause).with("column", "doc").asReported())
                .hasMessage("not JSON {\"kind\":\"unusable\",\"column\":\"doc\"}")
                .hasCause(cause);
        assertThat(new RefusedException("no key").asReported())
                .hasMessage("no key {\"kind\":\"unusable\"}")
                .hasNoCause();
    }
}
