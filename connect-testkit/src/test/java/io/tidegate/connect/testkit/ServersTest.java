package io.tidegate.connect.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ServersTest {
    private String before;

    @BeforeEach
    void keep() {
        before = System.getProperty(Servers.PROPERTY, "");
    }

    @AfterEach
    void restore() {
        System.setProperty(Servers.PROPERTY, before);
    }

    @Test
    void thePropertyChoosesTheKind() {
        System.setProperty(Servers.PROPERTY, EmbeddedServers.KIND);

        Servers chosen = Servers.chosen();

        assertThat(chosen).isInstanceOf(EmbeddedServers.class);
        assertThat(chosen.obstacle()).isEmpty();
    }

    @Test
    void rejectsAnUnknownKindWithTheSettingToChange() {
        System.setProperty(Servers.PROPERTY, "rented");

        assertThatThrownBy(Servers::chosen)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Unknown kind of servers rented: set tidegate.servers or TIDEGATE_SERVERS to embedded,"
                        + " or to a kind whose module is on the class path");
    }
}
