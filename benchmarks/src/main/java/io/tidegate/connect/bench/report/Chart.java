package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.results.Figures;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Stroke;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.DecimalFormat;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;

/** A chart with its title and its caption, drawn by JFreeChart. It needs fonts, but no screen. */
record Chart(String title, String caption, BufferedImage image) {
    private static final int WIDTH = 440;
    private static final int SCALE = 2;
    private static final int BAR_HEIGHT = 42;
    private static final int AXES_HEIGHT = 90;
    private static final int LINES_HEIGHT = 300;
    private static final int LEGEND_ROW = 20;

    /** The maximum number of lines in a chart; a reader cannot distinguish more. */
    private static final int MAX_LINES = 6;

    /** Of Okabe and Ito, which colour-blind people can distinguish; the first three differ in print, too. */
    private static final List<Color> COLOURS = List.of(
            new Color(0x0072B2),
            new Color(0xE69F00),
            new Color(0xF0E442),
            new Color(0x009E73),
            new Color(0xD55E00),
            new Color(0xCC79A7));

    private static final List<Stroke> STROKES =
            List.of(dashed(1, 0), dashed(6, 3), dashed(2, 3), dashed(8, 3, 2, 3), dashed(4, 2), dashed(14, 3));

    static {
        System.setProperty("java.awt.headless", "true");
        ImageIO.setUseCache(false);
    }

    /**
     * One bar, with its parts from the left.
     *
     * @param low the lowest run, or the same as {@code high}
     */
    record Bar(String name, List<Double> parts, double low, double high) {
        private String label() {
            double sum = parts.stream().mapToDouble(Double::doubleValue).sum();
            String range = low < high ? " (" + Figures.number(low) + " – " + Figures.number(high) + ")" : "";
            return name + ": " + Figures.number(sum) + range;
        }
    }

    /** One line. {@code marked} draws the points and the range of each. */
    record Line(String name, List<Point> points, boolean marked) {}

    /** A point and the range of its value. */
    record Point(double x, double y, double low, double high) {
        static Point of(double x, double y) {
            return new Point(x, y, y, y);
        }
    }

    private static Stroke dashed(float... dashes) {
        return dashes[1] == 0
                ? new BasicStroke(2)
                : new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0);
    }

    /** Draws horizontal bars; empty without bars, because not every benchmark has every measure. */
    static Optional<Chart> ofBars(String title, String unit, List<String> parts, List<Bar> bars, String caption) {
        if (bars.isEmpty()) {
            return Optional.empty();
        }
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        for (Bar bar : bars) {
            for (int part = 0; part < parts.size(); part++) {
                data.addValue(bar.parts().get(part), parts.get(part), bar.label());
            }
        }
        StackedBarRenderer renderer = new StackedBarRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setMaximumBarWidth(0.3);
        for (int part = 0; part < parts.size(); part++) {
            renderer.setSeriesPaint(part, COLOURS.get(part));
        }
        if (parts.size() > 1) {
            renderer.setDefaultItemLabelGenerator(
                    new StandardCategoryItemLabelGenerator("{2}", new DecimalFormat("#,##0.#")));
            renderer.setDefaultItemLabelsVisible(true);
        }
        CategoryAxis names = new CategoryAxis();
        names.setMaximumCategoryLabelLines(3);
        names.setMaximumCategoryLabelWidthRatio(0.6f);
        CategoryPlot plot = new CategoryPlot(data, names, new NumberAxis(unit), renderer);
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        return Optional.of(drawn(title, caption, plot, parts.size() > 1, AXES_HEIGHT + BAR_HEIGHT * bars.size()));
    }

    /** Draws lines over two axes that begin at 0; empty without lines. The caption says if lines are left out. */
    static Optional<Chart> ofLines(String title, String xUnit, String yUnit, List<Line> lines, String caption) {
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        int drawn = Math.min(MAX_LINES, lines.size());
        YIntervalSeriesCollection data = new YIntervalSeriesCollection();
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setDrawXError(false);
        renderer.setDrawYError(lines.get(0).marked());
        renderer.setDefaultLinesVisible(true);
        renderer.setDefaultShapesVisible(lines.get(0).marked());
        for (int i = 0; i < drawn; i++) {
            YIntervalSeries series = new YIntervalSeries(lines.get(i).name());
            lines.get(i).points().forEach(point -> series.add(point.x(), point.y(), point.low(), point.high()));
            data.addSeries(series);
            renderer.setSeriesPaint(i, COLOURS.get(i));
            renderer.setSeriesStroke(i, STROKES.get(i));
        }
        XYPlot plot = new XYPlot(data, new NumberAxis(xUnit), new NumberAxis(yUnit), renderer);
        String missing =
                drawn < lines.size() ? " Only the first " + drawn + " of " + lines.size() + " lines are drawn." : "";
        return Optional.of(drawn(title, caption + missing, plot, true, LINES_HEIGHT + LEGEND_ROW * drawn));
    }

    private static Chart drawn(String title, String caption, Plot plot, boolean legend, int height) {
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        JFreeChart chart = new JFreeChart(null, JFreeChart.DEFAULT_TITLE_FONT, plot, legend);
        chart.setBackgroundPaint(Color.WHITE);
        return new Chart(title, caption, chart.createBufferedImage(SCALE * WIDTH, SCALE * height, WIDTH, height, null));
    }

    byte[] png() {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", png);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return png.toByteArray();
    }

    String base64() {
        return Base64.getEncoder().encodeToString(png());
    }

    /** The reason why this Java cannot draw, if any. A Java without fonts fails in many ways. */
    static Optional<String> obstacle() {
        try {
            new Font(Font.SANS_SERIF, Font.PLAIN, 12).getFamily(Locale.ROOT);
            new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB).createGraphics().getFontMetrics();
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            return Optional.of("No charts: this Java finds no fonts (" + e
                    + "). Install fontconfig and a font, then run ./bench report with this folder.");
        }
    }
}
