package io.tidegate.docker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FaultTableTest {
    @Test
    void hasALineForEachServerAndAColumnForEachKindOfFault() {
        FaultTable table = new FaultTable();
        table.add("broker", "killed", "9, 9, 8");
        table.add("worker", "killed", "17, 15, 15");
        table.add("broker", "paused", "8, 7, 7");

        assertThat(table.markdown()).isEqualTo("""
                | what failed | killed | paused |
                |---|---|---|
                | broker | 9, 9, 8 | 8, 7, 7 |
                | worker | 17, 15, 15 |  |
                """);
    }
}
