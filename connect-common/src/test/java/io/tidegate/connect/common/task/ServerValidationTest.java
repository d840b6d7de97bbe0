package io.tidegate.connect.common.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.ValidationSettings.ServerQuestion;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.ServerCheck.Finding;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ServerValidationTest {
    private static final Finding WRONG = Finding.wrong("table", "no such table");
    private static final Finding AWAY = Finding.unavailable("url", "nobody listens");

    /** A check that answers what the test says. */
    private static final class FakeCheck implements ServerCheck {
        private final Supplier<List<Finding>> answer;
        private final CountDownLatch closed = new CountDownLatch(1);

        FakeCheck(Supplier<List<Finding>> answer) {
            this.answer = answer;
        }

        @Override
        public List<Finding> run() {
            return answer.get();
        }

        @Override
        public Problem waitingFor() {
            return new Problem("url", "the server");
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private static List<Problem> problems(ServerQuestion question, FakeCheck check) {
        List<Problem> problems = new ServerValidation(question, Duration.ofSeconds(20)).problems(check);
        assertThat(check.closed.getCount()).as("left open").isZero();
        return problems;
    }

    @Test
    void tellsWhateverSpeaksAgainstTheSettings() {
        assertThat(problems(ServerQuestion.ALWAYS, new FakeCheck(() -> List.of(WRONG, AWAY))))
                .containsExactly(WRONG.problem(), AWAY.problem());
    }

    @Test
    void acceptsAServerThatIsAwayWhenToldTo() {
        assertThat(problems(ServerQuestion.IF_REACHABLE, new FakeCheck(() -> List.of(WRONG, AWAY))))
                .containsExactly(WRONG.problem());
    }

    @Test
    void breaksOffWhatDoesNotEndAndSaysWhatItWaitedFor() {
        CountDownLatch never = new CountDownLatch(1);
        FakeCheck hanging = new FakeCheck(() -> {
            try {
                never.await(50, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of();
        });

        List<Problem> problems = new ServerValidation(ServerQuestion.ALWAYS, Duration.ofSeconds(1)).problems(hanging);

        assertThat(problems).containsExactly(new Problem("url", "the server does not answer within 1 s"));
        assertThat(hanging.closed.getCount()).isZero();
        never.countDown();
    }

    @Test
    void doesNotLetAFaultOfItsOwnStandInTheWay() {
        assertThat(problems(ServerQuestion.ALWAYS, new FakeCheck(() -> {
                    throw new IllegalStateException("a fault in the check");
                })))
                .isEmpty();
    }

    @Test
    void stopsWaitingWhenInterrupted() {
        FakeCheck check = new FakeCheck(List::of);
        Thread.currentThread().interrupt();

        assertThat(problems(ServerQuestion.ALWAYS, check)).isEmpty();

        assertThat(Thread.interrupted()).isTrue();
    }
}
