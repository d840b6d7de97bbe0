package io.tidegate.connect.bench.chart;

import com.github.weisj.jsvg.SVGDocument;
import com.github.weisj.jsvg.parser.LoaderContext;
import com.github.weisj.jsvg.parser.SVGLoader;
import com.github.weisj.jsvg.renderer.NullPlatformSupport;
import io.tidegate.connect.cli.Interruption;
import io.tidegate.connect.cli.ToolException;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.imageio.ImageIO;

/** Writes the charts of a page as PNG files, for example for a README. This needs fonts, but no screen. */
public final class Pictures {
    private static final int SCALE = 2;
    private static final int MAX_NAME = 60;

    /** The file that is written instead of pictures if this Java cannot draw text. */
    private static final String NONE = "no-pictures.txt";

    static {
        System.setProperty("java.awt.headless", "true");
        ImageIO.setUseCache(false);
    }

    private Pictures() {}

    /**
     * Removes earlier pictures, and writes a picture of each figure, named after its title.
     *
     * @param folder the result folder
     */
    public static void write(Path folder, List<Figure> figures) throws ToolException {
        Interruption.defer(() -> writeAll(folder.resolve("charts"), figures));
    }

    private static void writeAll(Path charts, List<Figure> figures) throws ToolException {
        try {
            if (Files.isDirectory(charts)) {
                clear(charts);
            }
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
                Path file = charts.resolve(name(figure.title(), taken) + ".png");
                ImageIO.write(image(figure), "png", file.toFile());
            }
        } catch (IOException e) {
            throw new ToolException("cannot write to " + charts + ": " + e.getMessage(), e);
        }
    }

    private static void clear(Path charts) throws IOException {
        try (DirectoryStream<Path> pictures = Files.newDirectoryStream(charts, "{*.png," + NONE + "}")) {
            for (Path picture : pictures) {
                Files.delete(picture);
            }
        }
    }

    /** Makes a file name of lower-case letters and dashes. A number follows if the name is already taken. */
    private static String name(String title, Set<String> taken) {
        String plain =
                title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-", "");
        String cut = plain.substring(0, Math.min(MAX_NAME, plain.length())).replaceAll("-$", "");
        String name = cut;
        for (int number = 2; !taken.add(name); number++) {
            name = cut + "-" + number;
        }
        return name;
    }

    private static BufferedImage image(Figure figure) {
        String svg = figure.chart().picture(figure.title());
        InputStream in = new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8));
        SVGDocument document =
                Objects.requireNonNull(new SVGLoader().load(in, null, LoaderContext.createDefault()), "not SVG");
        BufferedImage image = new BufferedImage(
                (int) (SCALE * document.size().width),
                (int) (SCALE * document.size().height),
                BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.scale(SCALE, SCALE);
        document.renderWithPlatform(NullPlatformSupport.INSTANCE, graphics, null);
        graphics.dispose();
        return image;
    }

    /** The reason why this Java cannot draw pictures, if any. A Java without fonts fails in many ways. */
    static Optional<String> obstacle() {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, 12).getFamily(Locale.ROOT);
            new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics().getFontMetrics();
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            return Optional.of("No pictures: this Java finds no fonts (" + e
                    + "). Install fontconfig and a font, then run ./bench report with this folder.");
        }
    }
}
