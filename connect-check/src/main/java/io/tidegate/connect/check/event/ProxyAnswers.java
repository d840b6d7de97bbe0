package io.tidegate.connect.check.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidegate.connect.check.plan.CheckCase;
import io.tidegate.connect.check.run.Happening;
import io.tidegate.connect.check.run.RunningCase;
import io.tidegate.connect.testkit.process.Poll;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A proxy answers for the search server: it has no server, too many requests, or shows its page. */
final class ProxyAnswers implements Happening {
    private static final List<String> STATUSES = List.of(
            "200 OK", "429 Too Many Requests", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout");
    private static final String PAGE = "<html><body>The proxy has something to say.</body></html>";
    private static final int LONGEST = 1_500;

    @Override
    public String name() {
        return "proxy-answers";
    }

    @Override
    public boolean fits(CheckCase sofar) {
        return sofar.sink().equals("es");
    }

    @Override
    public void happen(RunningCase running, Random choice) {
        String status = STATUSES.get(choice.nextInt(STATUSES.size()));
        String answer = "HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
                .formatted(status, PAGE.length(), PAGE);
        running.proxy().answer(Optional.of(answer.getBytes(US_ASCII)));
        Poll.pause(Duration.ofMillis(choice.nextInt(LONGEST)));
        running.proxy().answer(Optional.empty());
    }
}
