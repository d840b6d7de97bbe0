package io.tidegate.connect.bench.report;

import io.tidegate.connect.tools.Interruption;
import io.tidegate.connect.tools.ToolException;
import java.awt.Font;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/** The charts of a page as PNG files beside it, for READMEs. They need no screen, but fonts. */
public final class Pictures {
    private static final String FOLDER = "charts";
    private static final String ENDING = ".png";
    private static final int LONGEST_NAME = 60;

    /** Takes the place of the pictures where this Java cannot draw text. */
    private static final String NONE = "no-pictures.txt";

    static {
        System.setProperty("java.awt.headless", "true");
        ImageIO.setUseCache(false);
    }

    private Pictures() {}

    /**
     * Writes a picture of each figure below the folder, named by its title, in the place of earlier ones.
     *
     * @param folder of the results
     */
    public static void write(Path folder, List<Figure> figures) throws ToolException {
        Interruption.defer(() -> writeAll(folder, figures));
    }

    private static void writeAll(Path folder, List<Figure> figures) throws ToolException {
        Path charts = folder.resolve(FOLDER);
        try {
            clear(charts);
            if (figures.isEmpty()) {
                return;
            }
            Files.createDirectories(charts);
            Optional<String> obstacle = obstacle();
            if (obstacle.isPresent()) {
                Files.writeString(charts.resolve(NONE), obstacle.get() + "\n");
                return;
            }
            Set<String> taken = new HashSet<>();
            for (Figure figure : figures) {
                BufferedImage image = PngCanvas.draw(figure);
                ImageIO.write(
                        image,
                        "png",
                        charts.resolve(name(figure.title(), taken) + ENDING).toFile());
            }
        } catch (IOException e) {
            throw new ToolException("cannot write to " + charts + ": " + e.getMessage(), e);
        }
    }

    private static void clear(Path charts) throws IOException {
        if (!Files.isDirectory(charts)) {
            return;
        }
        try (Stream<Path> files = Files.list(charts)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(ENDING) || name.equals(NONE)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** The title in small letters and dashes; with a number behind it if there is one already. */
    private static String name(String title, Set<String> taken) {
        String plain =
                title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String cut = plain.substring(0, Math.min(LONGEST_NAME, plain.length())).replaceAll("-$", "");
        String name = cut;
        for (int number = 2; !taken.add(name); number++) {
            name = cut + "-" + number;
        }
        return name;
    }

    /** Why there can be no pictures, if there cannot: a Java without a single font fails in ways of its own. */
    static Optional<String> obstacle() {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, TextStyle.PLAIN.size()).getFamily(Locale.ROOT);
            new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics().getFontMetrics();
            return Optional.empty();
        } catch (RuntimeException | InternalError | LinkageError e) {
            return Optional.of("No pictures: this Java finds no fonts (" + e
                    + "). Install fontconfig and a font, then call" + " ./bench report with this folder.");
        }
    }
}
