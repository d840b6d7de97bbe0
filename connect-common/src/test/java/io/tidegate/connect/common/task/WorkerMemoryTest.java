package io.tidegate.connect.common.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class WorkerMemoryTest {
    private final WorkerMemory memory = new WorkerMemory(1_200);

    @Test
    void dividesOneHalfEvenlyAndGivesTheOtherToThoseThatHoldSomething() {
        try (WorkerMemory.Share first = memory.join()) {
            assertThat(first.besides(0)).isEqualTo(1_200);

            try (WorkerMemory.Share second = memory.join();
                    WorkerMemory.Share third = memory.join()) {
                assertThat(first.besides(0)).isEqualTo(800);
                first.holds(500);
                assertThat(first.besides(0)).isEqualTo(800);
                assertThat(second.besides(0)).isEqualTo(300);
                first.holds(800);
                second.holds(200);
                assertThat(first.besides(0)).isEqualTo(600);
                assertThat(third.besides(0)).isEqualTo(200);
            }

            assertThat(first.besides(0)).isEqualTo(1_200);
        }
    }

    @Test
    void allTasksTogetherHoldNoMore() {
        Random random = new Random(7);
        List<WorkerMemory.Share> shares = Stream.generate(memory::join).limit(6).toList();
        long[] held = new long[shares.size()];
        for (int i = 0; i < 10_000; i++) {
            int task = random.nextInt(held.length);
            if (random.nextInt(4) == 0) {
                held[task] = 0;
            } else {
                held[task] = Math.max(held[task], shares.get(task).besides(0));
            }
            shares.get(task).holds(held[task]);
            assertThat(LongStream.of(held).sum()).isLessThanOrEqualTo(1_200);
        }
    }

    @Test
    void keepsRoomForAPollOfUpToHalfOfAShare() {
        try (WorkerMemory.Share first = memory.join();
                WorkerMemory.Share second = memory.join()) {
            first.holds(300);
            second.holds(600);
            assertThat(first.besides(50)).isEqualTo(250);
            assertThat(first.besides(200)).isEqualTo(150);
            assertThat(second.besides(5_000)).isEqualTo(300);
        }
    }

    @Test
    void saysWhatATaskWouldHoldWithAllThatIsFree() {
        try (WorkerMemory.Share first = memory.join();
                WorkerMemory.Share second = memory.join()) {
            first.holds(300);
            second.holds(600);
            assertThat(first.withFree()).isEqualTo(600);
            second.holds(1_000);
            assertThat(first.withFree()).isEqualTo(200);
        }
    }

    @Test
    void takesAShareBackOnce() {
        try (WorkerMemory.Share first = memory.join();
                WorkerMemory.Share second = memory.join()) {
            second.holds(700);
            second.close();
            second.close();
            second.holds(700);

            assertThat(first.besides(0)).isEqualTo(1_200);
        }
    }
}
