package io.tidegate.connect.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;

/** Draws a chart with its title into a picture, twice as large as on the page. */
final class PngCanvas implements Canvas {
    private static final int SCALE = 2;
    private static final int MARGIN = 12;
    private static final int TITLE_ROW = 30;
    private static final double TITLE_CHARACTER_WIDTH = 8.4;

    private final Graphics2D graphics;

    private PngCanvas(Graphics2D graphics) {
        this.graphics = graphics;
    }

    static BufferedImage draw(Figure figure) {
        Chart chart = figure.chart();
        BufferedImage image = new BufferedImage(
                SCALE * (Chart.WIDTH + 2 * MARGIN),
                (int) Math.ceil(SCALE * (chart.height() + TITLE_ROW + 2 * MARGIN)),
                BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.setColor(Color.WHITE);
            graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
            graphics.scale(SCALE, SCALE);
            graphics.translate(MARGIN, MARGIN);
            PngCanvas canvas = new PngCanvas(graphics);
            String title = Canvas.shortened(figure.title(), (int) (Chart.WIDTH / TITLE_CHARACTER_WIDTH));
            canvas.text(0, TextStyle.TITLE.size(), title, TextStyle.TITLE, Anchor.START);
            graphics.translate(0, TITLE_ROW);
            chart.draw(canvas);
            return image;
        } finally {
            graphics.dispose();
        }
    }

    @Override
    public double width() {
        return Chart.WIDTH;
    }

    @Override
    public void rect(double x, double y, double rectWidth, double height, String colour) {
        graphics.setColor(Color.decode(colour));
        graphics.fill(new Rectangle2D.Double(x, y, rectWidth, height));
    }

    @Override
    public void line(double x1, double y1, double x2, double y2, Stroke stroke) {
        take(stroke);
        graphics.draw(new Line2D.Double(x1, y1, x2, y2));
    }

    @Override
    public void circle(double x, double y, double radius, String colour) {
        graphics.setColor(Color.decode(colour));
        graphics.fill(new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius));
    }

    @Override
    public void path(List<Corner> corners, Stroke stroke) {
        take(stroke);
        Path2D path = new Path2D.Double();
        for (Corner corner : corners) {
            if (path.getCurrentPoint() == null) {
                path.moveTo(corner.x(), corner.y());
            } else {
                path.lineTo(corner.x(), corner.y());
            }
        }
        graphics.draw(path);
    }

    private void take(Stroke stroke) {
        graphics.setColor(Color.decode(stroke.colour()));
        float width = (float) stroke.width();
        if (stroke.dashes().isEmpty()) {
            graphics.setStroke(new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
            return;
        }
        float[] dashes = new float[stroke.dashes().size()];
        for (int i = 0; i < dashes.length; i++) {
            dashes[i] = stroke.dashes().get(i);
        }
        graphics.setStroke(new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0));
    }

    @Override
    public void text(double x, double y, String text, TextStyle style, Anchor anchor) {
        int look = (style.isBold() ? Font.BOLD : Font.PLAIN) | (style.isItalic() ? Font.ITALIC : Font.PLAIN);
        graphics.setFont(new Font(Font.SANS_SERIF, look, style.size()));
        graphics.setColor(Color.decode(style.colour()));
        double length =
                graphics.getFontMetrics().getStringBounds(text, graphics).getWidth();
        double left =
                switch (anchor) {
                    case START -> x;
                    case MIDDLE -> x - length / 2;
                    case END -> x - length;
                };
        graphics.drawString(text, (float) left, (float) y);
    }
}
