package io.tidegate.connect.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PicturesTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void needFonts() {
        assumeThat(Chart.obstacle()).isEmpty();
    }

    private static Chart chart(String title) {
        List<Chart.Bar> bars = List.of(new Chart.Bar("a", List.of(1000.0, 500.0), 0, 0));
        return Chart.ofBars(title, "CPU s", List.of("worker", "server"), bars, "caption")
                .orElseThrow();
    }

    @Test
    void drawsAPartOfABarInAColourOfItsOwn() throws Exception {
        BufferedImage image =
                ImageIO.read(new ByteArrayInputStream(chart("Steady rate").png()));
        Set<Integer> colours = new HashSet<>();
        for (int x = 0; x < image.getWidth(); x++) {
            for (int y = 0; y < image.getHeight(); y++) {
                colours.add(image.getRGB(x, y));
            }
        }
        assertThat(colours)
                .contains(
                        Color.WHITE.getRGB(),
                        Color.decode("#0072B2").getRGB(),
                        Color.decode("#E69F00").getRGB());
    }

    @Test
    void givesEachChartAFileOfItsOwnAndRemovesThoseOfBefore() throws Exception {
        Pictures.write(folder, List.of(chart("Of the last time")));
        Path foreign = Files.writeString(folder.resolve("charts/notes.txt"), "the user's");

        Pictures.write(folder, List.of(chart("Offered, accepted: \"a/b\""), chart("Offered; accepted: a b")));

        try (Stream<Path> files = Files.list(folder.resolve("charts"))) {
            assertThat(files)
                    .extracting(file -> file.getFileName().toString())
                    .containsExactlyInAnyOrder(
                            "offered-accepted-a-b.png",
                            "offered-accepted-a-b-2.png",
                            foreign.getFileName().toString());
        }
    }
}
