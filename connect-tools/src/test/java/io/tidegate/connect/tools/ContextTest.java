package io.tidegate.connect.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextTest {
    @TempDir
    Path home;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void setHome() {
        environment.put("HOME", home.toString());
    }

    private Path write(String name, String text) throws Exception {
        Path file = home.resolve(".config/tidegate").resolve(name + ".properties");
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private String value(String option, String... args) throws Exception {
        return Context.of(args, environment).value(option);
    }

    @Test
    void isChosenByAnOptionOrAVariable() throws Exception {
        write("prod", "worker=/etc/prod.properties\nlib=/opt/lib\n");
        write("test", "worker = /etc/test.properties \n");
        assertThat(value("worker", "audit", "tides.json")).isEmpty();
        assertThat(value("worker", "audit", "--context", "prod", "tides")).isEqualTo("/etc/prod.properties");
        assertThat(value("lib", "--context=prod", "audit")).isEqualTo("/opt/lib");
        environment.put("TIDEGATE_CONTEXT", "test");
        assertThat(value("worker", "audit")).isEqualTo("/etc/test.properties");
        assertThat(value("worker", "audit", "--context=prod")).isEqualTo("/etc/prod.properties");
        environment.put("TIDEGATE_WORKER", "/etc/own.properties");
        assertThat(value("worker", "audit", "--context=prod")).isEqualTo("/etc/own.properties");
        environment.put("XDG_CONFIG_HOME", home.resolve("other").toString());
        assertThatThrownBy(() -> value("worker", "audit")).hasMessageContaining("There are none");
    }

    /** The port of discard answers nobody, so the message has the address. */
    @Test
    void givesOptionsThatTheCommandLineLacks() throws Exception {
        write("prod", "connect=http://localhost:9/prod\nbootstrap-servers=localhost:9\n");
        String[] audit = {"audit", "tides", "--context", "prod"};
        assertThat(CommandRun.of(environment, audit).err())
                .contains("Connect at http://localhost:9/prod does not answer");
        environment.put("TIDEGATE_CONNECT", "http://localhost:9/own");
        assertThat(CommandRun.of(environment, audit).err())
                .contains("Connect at http://localhost:9/own does not answer");
        String[] given = {"audit", "tides", "--context", "prod", "--connect", "http://localhost:9/given"};
        assertThat(CommandRun.of(environment, given).err())
                .contains("Connect at http://localhost:9/given does not answer");
        String[] redrive = {"redrive", "tides-dlq", "tides", "--context", "prod"};
        assertThat(CommandRun.of(environment, redrive).err())
                .contains("Connect at http://localhost:9/own does not answer");
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        write("prod", "yes=true\n");
        assertThatThrownBy(() -> value("worker", "--context", "prod"))
                .hasMessageContaining("has an unknown option yes: a context may have connect,");
        assertThatThrownBy(() -> value("worker", "--context", "pord")).hasMessageEndingWith("There are prod");
    }

    @Test
    void takesAPasswordThatOthersCannotReadOnly() throws Exception {
        Path file = write("prod", "connect-user=u\nconnect-password=secret\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> value("worker", "--context", "prod")).hasMessageEndingWith("use chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(value("connect-password", "--context", "prod")).isEqualTo("secret");
    }
}
