package io.tidegate.connect.jsonb.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SessionNameTest {
    @Test
    void saysConnectorAndWorker() {
        assertThat(SessionName.of("orders", "@worker-1[4711]")).isEqualTo("tidegate orders@worker-1[4711]");
        assertThat(SessionName.of("orders"))
                .startsWith("tidegate orders@")
                .endsWith("[" + ProcessHandle.current().pid() + "]");
    }

    @Test
    void fitsWhatTheServerKeepsSoThatItsEchoIsTheSame() {
        assertThat(SessionName.of("c".repeat(200), "@worker-1[4711]"))
                .hasSize(63)
                .isEqualTo("tidegate " + "c".repeat(38) + "~@worker-1[4711]");
        assertThat(SessionName.of("c".repeat(200)).length()).isLessThanOrEqualTo(63);
    }

    @Test
    void holdsPrintableAsciiOnlyAsTheServerDoes() {
        assertThat(SessionName.of("größe\n\t", "@w[1]")).isEqualTo("tidegate gr??e??@w[1]");
    }
}
