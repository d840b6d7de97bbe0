package io.tidegate.connect.bench.report;

import io.tidegate.connect.bench.report.Canvas.Anchor;
import java.util.List;

/** Horizontal bars made of at most three parts, each bar under its name, with the sum behind it. */
record StackedBarChart(String unit, List<String> parts, List<Bar> bars) implements Chart {
    private static final int RIGHT = WIDTH - 60;
    private static final int ROW = 38;
    private static final int LEGEND = 24;
    private static final int NARROWEST_LABEL = 34;

    /** Dark, middle, light: they differ on paper too, and for eyes that tell colours apart less well. */
    private static final List<Part> LOOKS = List.of(
            new Part(Palette.BLUE.colour(), TextStyle.LIGHT),
            new Part(Palette.ORANGE.colour(), TextStyle.DARK),
            new Part(Palette.YELLOW, TextStyle.DARK));

    private record Part(String colour, TextStyle label) {
        void draw(Canvas canvas, double left, double top, double right, double bottom) {
            canvas.rect(left, top, right - left, bottom - top, Palette.INK);
            canvas.rect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1, colour);
        }
    }

    /** @param figures one for each part, in the order of the parts */
    record Bar(String name, List<Double> figures) {
        double sum() {
            return figures.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    @Override
    public double height() {
        return bottom() + Axis.UNDER;
    }

    private double bottom() {
        return LEGEND + ROW * bars.size();
    }

    @Override
    public void draw(Canvas canvas) {
        double max = bars.stream().mapToDouble(Bar::sum).max().orElse(0);
        Axis axis = Axis.upTo(max, 4, RIGHT);
        legend(canvas);
        axis.drawUnder(canvas, LEGEND, bottom(), unit);
        for (int i = 0; i < bars.size(); i++) {
            draw(canvas, axis, bars.get(i), LEGEND + ROW * i);
        }
    }

    private void legend(Canvas canvas) {
        double x = 4;
        for (int i = 0; i < parts.size(); i++) {
            LOOKS.get(i).draw(canvas, x, 4, x + 12, 16);
            canvas.text(x + 17, 14, parts.get(i), TextStyle.PLAIN, Anchor.START);
            x += 32 + parts.get(i).length() * Canvas.CHARACTER_WIDTH;
        }
    }

    private static void draw(Canvas canvas, Axis axis, Bar bar, double top) {
        canvas.name(4, top + 13, bar.name());
        double from = 0;
        for (int i = 0; i < bar.figures().size(); i++) {
            double figure = bar.figures().get(i);
            double left = axis.at(from);
            double right = axis.at(from + figure);
            Part part = LOOKS.get(i);
            if (figure > 0) {
                part.draw(canvas, left, top + 19, right, top + 33);
            }
            if (right - left > NARROWEST_LABEL) {
                canvas.text((left + right) / 2, top + 30, BarChart.number(figure), part.label(), Anchor.MIDDLE);
            }
            from += figure;
        }
        canvas.text(axis.at(bar.sum()) + 5, top + 30, BarChart.number(bar.sum()), TextStyle.VALUE, Anchor.START);
    }
}
