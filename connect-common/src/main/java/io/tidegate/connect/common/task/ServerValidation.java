package io.tidegate.connect.common.task;

import static java.util.Objects.requireNonNull;

import io.tidegate.connect.common.settings.Problem;
import io.tidegate.connect.common.settings.ValidationSettings.ServerQuestion;
import io.tidegate.connect.common.spi.ServerCheck;
import io.tidegate.connect.common.spi.ServerCheck.Finding;
import io.tidegate.connect.common.spi.ServerCheck.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a server about a configuration, but only as long as a user of a REST client waits. A check that does not end in
 * time is cancelled. Connect's thread waits; another thread asks.
 */
final class ServerValidation {
    private static final Logger log = LoggerFactory.getLogger(ServerValidation.class);

    /** The limit for the whole check. Connect and the user's client need the rest of ten seconds. */
    static final Duration PATIENCE = Duration.ofSeconds(8);

    private final ServerQuestion question;
    private final Duration patience;

    ServerValidation(ServerQuestion question, Duration patience) {
        this.question = requireNonNull(question, "question");
        this.patience = requireNonNull(patience, "patience");
    }

    /** The problems that must be fixed before the configuration can be accepted. Closes the check. */
    List<Problem> problems(ServerCheck check) {
        List<Problem> problems = new ArrayList<>();
        for (Finding finding : ask(check)) {
            if (finding.kind() == Kind.UNAVAILABLE && question == ServerQuestion.IF_REACHABLE) {
                log.warn(
                        "A configuration is accepted though {}",
                        finding.problem().message());
            } else {
                problems.add(finding.problem());
            }
        }
        return problems;
    }

    private List<Finding> ask(ServerCheck check) {
        FutureTask<List<Finding>> answer = new FutureTask<>(check::run);
        Thread thread = new Thread(answer, "tidegate-validation");
        thread.setDaemon(true);
        thread.start();
        try (check) {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            Problem waiting = check.waitingFor();
            return List.of(Finding.unavailable(
                    waiting.key(), waiting.message() + " does not answer within " + patience.toSeconds() + " s"));
        } catch (ExecutionException e) {
            log.warn("Validation on the server failed; the configuration is accepted unchecked", e.getCause());
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
