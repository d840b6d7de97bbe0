package io.tidegate.connect.check.report;

import io.tidegate.connect.check.plan.CheckCase;

/** Prints a case as a test that one can paste into {@code CasesIT}. */
public final class PastedTest {
    private PastedTest() {}

    public static String of(CheckCase planned) {
        String json = planned.json().replace("\\", "\\\\").replace("\"\"\"", "\\\"\"\"");
        return """
                @Test
                void seed%d() throws Exception {
                    assertThat(run(CheckCase.parse(\"""
                            %s\""")).differences()).isEmpty();
                }
                """.formatted(planned.seed(), json.replace("\n", "\n                            "));
    }
}
