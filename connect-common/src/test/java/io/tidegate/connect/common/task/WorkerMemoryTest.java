package io.tidegate.connect.common.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WorkerMemoryTest {
    private final WorkerMemory memory = new WorkerMemory(1_200);

    @Test
    void dividesEvenlyAmongTheTasksThatRun() {
        try (WorkerMemory.Share first = memory.join()) {
            assertThat(first.besides(0)).isEqualTo(1_200);

            try (WorkerMemory.Share second = memory.join();
                    WorkerMemory.Share third = memory.join()) {
                assertThat(first.besides(0)).isEqualTo(400);
                assertThat(second.besides(0)).isEqualTo(400);
                assertThat(third.besides(0)).isEqualTo(400);
            }

            assertThat(first.besides(0)).isEqualTo(1_200);
        }
    }

    @Test
    void keepsRoomForAPollOfUpToHalfOfAShare() {
        try (WorkerMemory.Share first = memory.join();
                WorkerMemory.Share second = memory.join()) {
            assertThat(first.besides(100)).isEqualTo(500);
            assertThat(first.besides(300)).isEqualTo(300);
            assertThat(second.besides(5_000)).isEqualTo(300);
        }
    }

    @Test
    void takesAShareBackOnce() {
        try (WorkerMemory.Share first = memory.join();
                WorkerMemory.Share second = memory.join()) {
            second.close();
            second.close();

            assertThat(first.besides(0)).isEqualTo(1_200);
        }
    }
}
