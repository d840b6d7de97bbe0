package io.tidegate.connect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.connect.cli.ToolException;
import io.tidegate.connect.lab.tides.TideSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class FeederTest {
    private static final byte[] VALUE = {'{', '}'};

    private final CountDownLatch fed = new CountDownLatch(1);
    private final BlockingQueue<Exception> ends = new LinkedBlockingQueue<>();

    /** As after Ctrl-C. The user would read a stack trace that means nothing. */
    @Test
    void endsQuietlyIfItIsClosedWhileItSends() throws Exception {
        Feeder feeder = new Feeder(
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()),
                1,
                this::endless,
                Long.MAX_VALUE);
        feeder.start();
        fed.await();

        feeder.close();

        assertThat(ends.poll(1, TimeUnit.MINUTES)).isInstanceOf(InterruptedException.class);
    }

    private long endless(long limit, TideSource.Receiver receiver) throws ToolException, InterruptedException {
        try {
            while (true) {
                receiver.accept(new byte[0], VALUE);
                fed.countDown();
            }
        } catch (InterruptedException | RuntimeException e) {
            ends.add(e);
            throw e;
        }
    }
}
