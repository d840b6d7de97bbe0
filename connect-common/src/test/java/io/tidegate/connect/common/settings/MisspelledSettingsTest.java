package io.tidegate.connect.common.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MisspelledSettingsTest {
    private static final Set<String> OURS = Set.of("insert.mode", "delivery.guarantee", "batch.size", "linger.ms");

    @ParameterizedTest
    @CsvSource({
        "insertmode, insert.mode",
        "insert.mod, insert.mode",
        "Insert_Mode, insert.mode",
        "delivery.garantee, delivery.guarantee",
        "delivery.gaurantee, delivery.guarantee",
        "batch.sizes, batch.size"
    })
    void namesTheSettingThatWasMeant(String given, String meant) {
        assertThat(MisspelledSettings.problems(List.of(given, "name"), OURS))
                .containsExactly(new Problem(given, "is not a setting; did you mean " + meant + '?'));
    }

    @Test
    void leavesOtherNamesAlone() {
        List<String> given = List.of(
                "insert.mode", "transforms.insert.mode", "batches", "max.batch.size", "mode", "size", "lag", "");

        assertThat(MisspelledSettings.problems(given, OURS)).isEmpty();
    }
}
