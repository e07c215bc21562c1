package io.tailrace.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.console.Page.Cell;
import io.tailrace.cli.console.Page.Series;
import io.tailrace.cli.fleet.Shown;
import io.tailrace.schemas.SnapshotManifest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** How figures, times and links are written on pages. */
final class Figures {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Figures() {}

    /** Whole numbers are grouped by thousands, others have two digits after the point, null is a dash. */
    static String text(Object value) {
        if (value == null) {
            return "-";
        }
        if (value instanceof Double fraction) {
            return String.format(Locale.ROOT, "%.2f", fraction);
        }
        if (value instanceof Instant time) {
            return TIME.format(time);
        }
        return value instanceof Number number
                ? String.format(Locale.ROOT, "%,d", number.longValue())
                : value.toString();
    }

    /** Null: it is not known, which -1 says. */
    static Long known(long figure) {
        return figure < 0 ? null : Long.valueOf(figure);
    }

    /** A time that has passed; a dash: it is not known. */
    static String age(long millis) {
        return millis < 0 ? "-" : Shown.age(millis);
    }

    /** A part in percent; null: there is no whole. */
    static Double percent(long part, long whole) {
        return whole == 0 ? null : 100.0 * part / whole;
    }

    static Cell link(String text, String path, String name, String value) {
        return new Cell(text, path + "?" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8), false, false);
    }

    /** What an operator is to look at first. */
    static Cell bad(Object value, boolean bad) {
        return new Cell(text(value), "", value instanceof Number, bad);
    }

    static String json(Page.Chart chart) {
        try {
            return JSON.writeValueAsString(Map.of(
                    "kind", chart.kind(),
                    "xTitle", chart.xTitle(),
                    "yTitle", chart.yTitle(),
                    "categories", chart.categories(),
                    "series", chart.series()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts and numbers are always JSON", e);
        }
    }

    /** A figure of versions over the time they were made at. */
    static Series series(
            String name, Collection<SnapshotManifest> versions, Function<SnapshotManifest, Number> figure) {
        return new Series(
                name,
                versions.stream()
                        .map(manifest ->
                                List.of(manifest.getCreatedAt().toEpochMilli(), finite(figure.apply(manifest))))
                        .toList());
    }

    /** A browser's JSON has no other numbers. */
    private static Number finite(Number value) {
        return Double.isFinite(value.doubleValue()) ? value : 0;
    }
}
