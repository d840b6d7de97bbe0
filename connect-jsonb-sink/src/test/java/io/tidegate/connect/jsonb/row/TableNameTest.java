package io.tidegate.connect.jsonb.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.common.document.Template;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableNameTest {
    @Test
    void quotesEveryPart() {
        assertThat(TableName.parse("public.readings").sql()).isEqualTo("\"public\".\"readings\"");
        assertThat(TableName.parse("Readings").sql()).isEqualTo("\"Readings\"");
    }

    @Test
    void dotsOfATemplatePartSchemaAndTableUnlessTheyStandInAPlace() {
        assertThat(TableName.templates("${1}.log_${timestamp:yyyy.MM}"))
                .containsExactly(Template.parse("${1}"), Template.parse("log_${timestamp:yyyy.MM}"));
    }

    @Test
    void dotsOfWhatIsFilledInArePartOfTheName() {
        assertThat(new TableName(List.of("public", "tides.v1")).sql()).isEqualTo("\"public\".\"tides.v1\"");
    }

    @Test
    void quotedDotsArePartOfTheName() {
        assertThat(TableName.parse("\"odd.\"\"name\"").sql()).isEqualTo("\"odd.\"\"name\"");
    }

    @Test
    void noTopicIsReadAsSql() {
        TableName name = new TableName(List.of("x\"; DROP TABLE y; --"));

        assertThat(name.sql()).isEqualTo("\"x\"\"; DROP TABLE y; --\"");
    }

    @Test
    void refusesWhatPostgresWouldCut() {
        assertThat(new TableName(List.of("\u00e4".repeat(31))).parts()).hasSize(1);
        assertThatThrownBy(() -> new TableName(List.of("\u00e4".repeat(32)))).hasMessageContaining("63 bytes");
    }

    @Test
    void refusesWhatIsNoName() {
        assertThatThrownBy(() -> TableName.parse("a.b.c")).hasMessageContaining("schema.table");
        assertThatThrownBy(() -> TableName.parse("a.")).hasMessageContaining("schema.table");
        assertThatThrownBy(() -> TableName.parse("\"a")).hasMessageContaining("not closed");
    }

    @Test
    void refusesWhatTheServerCannotHold() {
        assertThatThrownBy(() -> new TableName(List.of("a\0b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a table's name has neither a NUL nor half a character");
        assertThatThrownBy(() -> new TableName(List.of("a\ud83c"))).isInstanceOf(IllegalArgumentException.class);
    }
}
