package io.tidegate.connect.jsonb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class TableNameTest {
    @Test
    void quotesEveryPart() {
        assertThat(TableName.parse("public.readings").sql()).isEqualTo("\"public\".\"readings\"");
        assertThat(TableName.parse("Readings").sql()).isEqualTo("\"Readings\"");
    }

    @Test
    void dotsOfTheTopicArePartOfTheName() {
        TableName name = TableName.parse("public.${topic}").with(Map.of("topic", "tides.v1"));

        assertThat(name.sql()).isEqualTo("\"public\".\"tides.v1\"");
    }

    @Test
    void quotedDotsArePartOfTheName() {
        assertThat(TableName.parse("\"odd.\"\"name\"").sql()).isEqualTo("\"odd.\"\"name\"");
    }

    @Test
    void noTopicIsReadAsSql() {
        TableName name = TableName.parse("${topic}").with(Map.of("topic", "x\"; DROP TABLE y; --"));

        assertThat(name.sql()).isEqualTo("\"x\"\"; DROP TABLE y; --\"");
    }

    @Test
    void refusesWhatIsNoName() {
        assertThatThrownBy(() -> TableName.parse("a.b.c")).hasMessageContaining("schema.table");
        assertThatThrownBy(() -> TableName.parse("a.")).hasMessageContaining("schema.table");
        assertThatThrownBy(() -> TableName.parse("\"a")).hasMessageContaining("not closed");
    }
}
