package io.tidegate.connect.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JvmTest {
    @Test
    void anOrdinaryJvmHasTheWholeHeapAndAllCompilers() {
        assertThat(Jvm.ordinary().withHeap("1g").command("a:b", List.of("-Dx=y"), "Main", List.of("arg")))
                .contains("-Xmx1g", "-Xms1g")
                .doesNotContain("-XX:TieredStopAtLevel=1")
                .endsWith("-Dx=y", "-cp", "a:b", "Main", "arg");
    }

    @Test
    void aFastJvmHasASmallHeapUnlessSet() {
        assertThat(Jvm.ordinary().withFastStart().command("a", List.of(), "Main", List.of()))
                .contains("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:MetaspaceSize=128m");
        assertThat(Jvm.ordinary().withHeap("1g").withFastStart().command("a", List.of(), "Main", List.of()))
                .contains("-Xmx1g");
    }
}
