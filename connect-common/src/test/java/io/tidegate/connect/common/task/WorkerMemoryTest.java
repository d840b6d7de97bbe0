package io.tidegate.connect.common.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WorkerMemoryTest {
    private final WorkerMemory memory = new WorkerMemory(1_200);

    @Test
    void dividesEvenlyAmongTheTasksThatRun() {
        try (WorkerMemory.Share first = memory.join()) {
            assertThat(first.bytes()).isEqualTo(1_200);

            try (WorkerMemory.Share second = memory.join();
                    WorkerMemory.Share third = memory.join()) {
                assertThat(first.bytes()).isEqualTo(400);
                assertThat(second.bytes()).isEqualTo(400);
                assertThat(third.bytes()).isEqualTo(400);
            }

            assertThat(first.bytes()).isEqualTo(1_200);
        }
    }

    @Test
    void takesAShareBackOnce() {
        try (WorkerMemory.Share first = memory.join();
                WorkerMemory.Share second = memory.join()) {
            second.close();
            second.close();

            assertThat(first.bytes()).isEqualTo(1_200);
        }
    }
}
