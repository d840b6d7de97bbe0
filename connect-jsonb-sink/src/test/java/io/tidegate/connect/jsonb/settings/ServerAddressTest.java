package io.tidegate.connect.jsonb.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ServerAddressTest {
    @Test
    void namesHostsPortsAndDatabaseAndNothingElse() {
        assertThat(ServerAddress.of("jdbc:postgresql://a:5433,b/tides?user=me&password=hunter2"))
                .isEqualTo("a:5433,b:5432/tides");
        assertThat(ServerAddress.of("jdbc:postgresql://a/")).startsWith("a:5432/");
    }

    @Test
    void showsNothingOfWhatItDoesNotUnderstand() {
        assertThat(ServerAddress.of("jdbc:oracle:thin:me/hunter2@a")).isEqualTo("?");
    }
}
