package io.tidegate.connect.check.report;

import io.tidegate.connect.check.plan.CheckCase;

/** Prints a case as a test that one can paste into {@code CheckIT}. */
public final class PastedTest {
    private PastedTest() {}

    public static String of(CheckCase planned) {
        String json = planned.json().replace("\\", "\\\\").replace("\"\"\"", "\\\"\"\"");
        return """
                @Test
                void seed%d() throws Exception {
                    Outcome outcome = bench.runner().run(CheckCase.parse(\"""
                            %s\"""));

                    assertThat(outcome.differences()).isEmpty();
                    assertThat(outcome.refusal()).isEmpty();
                }
                """.formatted(planned.seed(), json.replace("\n", "\n                            "));
    }
}
