package io.tailrace.lab.replay.report;

import java.util.List;
import java.util.Locale;

/** The kinds of chart that the report has. */
final class Charts {
    private static final int LABEL_WIDTH = 96;
    private static final int BAR_HEIGHT = 9;
    private static final int GROUP_GAP = 8;
    private static final int TOP = 18;
    private static final int BOTTOM = 26;
    private static final int LEFT = 34;
    private static final int TICKS = 5;

    private Charts() {}

    /** Named values, one for each category. */
    record Series(String name, int colour, double[] values) {}

    /** Horizontal bars, grouped by category; the axis begins at 0. */
    static String bars(String title, List<String> categories, List<Series> series, int width) {
        int group = series.size() * BAR_HEIGHT + GROUP_GAP;
        int height = TOP + categories.size() * group + BOTTOM;
        Axis axis = Axis.upTo(largest(series));
        double scale = (width - LABEL_WIDTH - 40) / axis.max();
        Svg svg = new Svg(width, height);
        for (double tick = 0; tick <= axis.max() + 1e-9; tick += axis.step()) {
            double x = LABEL_WIDTH + tick * scale;
            svg.line("grid", x, TOP - 6, x, height - BOTTOM);
            svg.text("soft", "middle", x, height - BOTTOM + 14, axis.label(tick));
        }
        for (int i = 0; i < categories.size(); i++) {
            double y = TOP + i * group;
            svg.text("", "end", LABEL_WIDTH - 6, y + (group - GROUP_GAP) / 2.0 + 4, categories.get(i));
            for (int k = 0; k < series.size(); k++) {
                double value = series.get(k).values()[i];
                String label = String.format(Locale.ROOT, "%.2f", value);
                svg.bar(
                        series.get(k).colour(),
                        LABEL_WIDTH,
                        y + k * BAR_HEIGHT,
                        value * scale,
                        BAR_HEIGHT - 1.5,
                        categories.get(i) + ", " + series.get(k).name() + ": " + label);
                if (series.size() == 1) {
                    svg.text("soft", "start", LABEL_WIDTH + value * scale + 4, y + BAR_HEIGHT - 1, label);
                }
            }
        }
        return figure(title, svg);
    }

    /**
     * Lines over common x values; the y axis begins at 0.
     *
     * @param xLabels one for each x, empty where there is no room
     * @param diagonal whether to draw what perfect prediction would be: y = x, for axes from 0 to 1
     */
    static String lines(
            String title, double[] xs, String[] xLabels, List<Series> series, boolean diagonal, int width, int height) {
        Axis axis = Axis.upTo(diagonal ? 1 : largest(series));
        double xMax = xs[xs.length - 1];
        double xMin = diagonal ? 0 : xs[0];
        double xScale = (width - LEFT - 14) / Math.max(1e-9, (diagonal ? 1 : xMax) - xMin);
        double yScale = (height - TOP - BOTTOM) / axis.max();
        double base = height - BOTTOM;
        Svg svg = new Svg(width, height);
        for (double tick = 0; tick <= axis.max() + 1e-9; tick += axis.step()) {
            svg.line("grid", LEFT, base - tick * yScale, width - 10, base - tick * yScale);
            svg.text("soft", "end", LEFT - 5, base - tick * yScale + 4, axis.label(tick));
        }
        if (diagonal) {
            svg.line("axis dash", LEFT, base, LEFT + xScale, base - yScale);
        }
        for (int i = 0; i < xs.length; i++) {
            svg.text("soft", "middle", LEFT + (xs[i] - xMin) * xScale, base + 15, xLabels[i]);
        }
        for (Series one : series) {
            double[] x = new double[one.values().length];
            double[] y = new double[x.length];
            for (int i = 0; i < x.length; i++) {
                x[i] = LEFT + (xs[i] - xMin) * xScale;
                y[i] = base - one.values()[i] * yScale;
            }
            svg.curve(one.colour(), x, y, one.name());
        }
        return figure(title, svg);
    }

    private static String figure(String title, Svg svg) {
        return "<figure><figcaption>" + Svg.escape(title) + "</figcaption>" + svg.picture(title) + "</figure>\n";
    }

    private static double largest(List<Series> series) {
        double largest = 0;
        for (Series one : series) {
            for (double value : one.values()) {
                largest = Math.max(largest, value);
            }
        }
        return largest;
    }

    /** Ticks at round values. */
    private record Axis(double step, double max) {
        static Axis upTo(double largest) {
            double rough = Math.max(largest, 1e-3) / TICKS;
            double power = Math.pow(10, Math.floor(Math.log10(rough)));
            double step = 10 * power;
            for (double nice : new double[] {5, 2, 1}) {
                step = nice * power >= rough ? nice * power : step;
            }
            return new Axis(step, step * Math.ceil(largest / step - 1e-9));
        }

        String label(double tick) {
            return String.format(Locale.ROOT, step >= 1 ? "%.0f" : step >= 0.1 ? "%.1f" : "%.2f", tick);
        }
    }
}
