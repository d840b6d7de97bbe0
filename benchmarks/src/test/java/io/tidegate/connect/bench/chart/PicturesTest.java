package io.tidegate.connect.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
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
        assumeThat(Pictures.obstacle()).isEmpty();
    }

    private static Figure figure(String title) {
        List<BarChart.Bar> bars = List.of(new BarChart.Bar("a", List.of(1000.0), 900, 1100, false));
        return new Figure(title, new BarChart("records/s", List.of(), bars).draw(), "caption");
    }

    @Test
    void drawsWhatThePageShows() throws Exception {
        Pictures.write(folder, List.of(figure("Steady rate")));

        BufferedImage image =
                ImageIO.read(folder.resolve("charts/steady-rate.png").toFile());
        assertThat(image.getWidth()).isGreaterThan(2 * Svg.WIDTH);
        Set<Integer> colours = new HashSet<>();
        for (int x = 0; x < image.getWidth(); x++) {
            for (int y = 0; y < image.getHeight(); y++) {
                colours.add(image.getRGB(x, y));
            }
        }
        assertThat(colours)
                .contains(
                        Color.WHITE.getRGB(),
                        Color.decode(Svg.BLUE).getRGB(),
                        Color.decode(Svg.INK).getRGB(),
                        Color.decode("#dddddd").getRGB());
    }

    @Test
    void givesEachFigureAFileOfItsOwnAndRemovesThoseOfBefore() throws Exception {
        Pictures.write(folder, List.of(figure("Of the last time")));
        Path foreign = Files.writeString(folder.resolve("charts/notes.txt"), "the user's");

        Pictures.write(folder, List.of(figure("Offered, accepted: \"a/b\""), figure("Offered; accepted: a b")));

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
