package io.tailrace.lab.replay.report;

import java.util.Locale;

/** An SVG picture being drawn; coordinates in pixels, y downwards. Colours are the page's, by number. */
final class Svg {
    private static final int COLOURS = 8;

    private final StringBuilder content = new StringBuilder();
    private final int width;
    private final int height;

    Svg(int width, int height) {
        this.width = width;
        this.height = height;
    }

    void line(String style, double x1, double y1, double x2, double y2) {
        add("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", style, x1, y1, x2, y2);
    }

    void text(String style, String anchor, double x, double y, String text) {
        add("<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", style, anchor, x, y, escape(text));
    }

    /** A bar that says its value when pointed at. */
    void bar(int colour, double x, double y, double barWidth, double barHeight, String title) {
        add(
                "<rect style=\"fill:%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1.5\"><title>%s</title></rect>",
                colour(colour), x, y, Math.max(0, barWidth), barHeight, escape(title));
    }

    /** A line through points, {@code xs} and {@code ys} of one length, with a dot on each. */
    void curve(int colour, double[] xs, double[] ys, String title) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < xs.length; i++) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", xs[i], ys[i]));
        }
        add(
                "<polyline style=\"fill:none;stroke:%s;stroke-width:1.8\" points=\"%s\"><title>%s</title></polyline>",
                colour(colour), points.toString().strip(), escape(title));
        for (int i = 0; i < xs.length; i++) {
            add("<circle style=\"fill:%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>", colour(colour), xs[i], ys[i]);
        }
    }

    String picture(String label) {
        return String.format(
                Locale.ROOT,
                "<svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">%s</svg>",
                escape(label),
                width,
                height,
                width,
                height,
                content);
    }

    static String colour(int number) {
        return "var(--c" + number % COLOURS + ")";
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private void add(String format, Object... values) {
        content.append(String.format(Locale.ROOT, format, values));
    }
}
