package io.tidegate.connect.bench.report;

/** A drawing of figures, the same on the page and in a picture. */
public sealed interface Chart permits BarChart, LineChart, StackedBarChart {
    /** Of every chart, in the page's pixels. */
    int WIDTH = 420;

    /** In the page's pixels. */
    double height();

    /** Draws all of it, within its width and height. */
    void draw(Canvas canvas);
}
