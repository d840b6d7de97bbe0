package io.tidegate.connect.tools.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TerminalTest {
    @Test
    void returnsWhatIsRead() throws Exception {
        assertThat(Terminal.interruptibly(() -> "yes")).isEqualTo("yes");
    }

    /** As a read from a console, which an interrupt does not end. */
    @Test
    void anInterruptEndsTheWaitForAnAnswer() {
        CountDownLatch never = new CountDownLatch(1);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Terminal.interruptibly(() -> {
                    never.await();
                    return "";
                }))
                .isInstanceOf(InterruptedException.class);
    }
}
