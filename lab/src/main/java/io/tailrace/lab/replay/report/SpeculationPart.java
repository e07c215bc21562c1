package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.OverlapSimulation.Outcome;
import io.tailrace.lab.replay.SpeculationRow;
import io.tailrace.lab.replay.report.Charts.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The report's part about the speculation cache; empty where none was simulated. */
final class SpeculationPart {
    private static final String HEAD =
            "<h2>What a speculation cache would hide</h2>\n<p class=\"soft\">Drafts for likely"
                    + " endings of a verification, prepared while the model is at it, simulated on this replay for draft sources of the"
                    + " given times. A hit is there when it is asked for; late is one in the making, and counts as a miss. Speed-up"
                    + " compares with waiting for every draft.</p>\n";
    private static final String TABLE = "<div class=\"scroll\"><table><tr><th>strategy<th>endings<th>budget<th>draft us"
            + "<th>prepared at a time<th>steps<th>hits %<th>late %<th>drafting hidden %<th>speed-up by hiding</tr>\n";

    private final List<SpeculationRow> rows;

    SpeculationPart(List<SpeculationRow> rows) {
        this.rows = rows;
    }

    String html() {
        if (rows.isEmpty()) {
            return "";
        }
        StringBuilder html = new StringBuilder(HEAD).append("<div class=\"charts\">");
        html.append(chart("drafts that were ready, %", outcome -> 100 * outcome.hitRate()));
        html.append(chart("drafting time hidden, %", outcome -> 100 * outcome.hiddenShare()));
        html.append("</div>\n").append(TABLE);
        rows.forEach(row -> html.append(tableRow(row)));
        return html.append("</table></div>\n").toString();
    }

    private String chart(String title, ToDoubleFunction<Outcome> figure) {
        List<String> sources = rows.stream().map(this::source).distinct().toList();
        List<Series> series = new ArrayList<>();
        for (String choice :
                rows.stream().map(SpeculationPart::choice).distinct().toList()) {
            double[] values = new double[sources.size()];
            for (SpeculationRow row : rows) {
                if (choice(row).equals(choice)) {
                    values[sources.indexOf(source(row))] =
                            figure.applyAsDouble(row.figures().outcome());
                }
            }
            series.add(new Series(choice, series.size(), values));
        }
        String names = String.join(" above ", series.stream().map(Series::name).toList());
        return Charts.bars(title + " (" + names + ")", sources, series, 420);
    }

    /**
     * What distinguishes a group of bars: budget, time of a draft, how many at a time; the strategy only where there are
     * several. Short, as the margin is.
     */
    private String source(SpeculationRow row) {
        boolean several =
                rows.stream().map(one -> one.strategy().text()).distinct().count() > 1;
        return format(
                "%s%d: %dus x%d",
                several ? row.strategy().text() + " " : "",
                row.budget(),
                row.figures().source().draftMicros(),
                row.figures().source().preparers());
    }

    private static String choice(SpeculationRow row) {
        return ReplayJson.name(row.figures().choice());
    }

    private static String tableRow(SpeculationRow row) {
        Outcome outcome = row.figures().outcome();
        return format(
                "<tr><td>%s<td>%s<td>%d<td>%,d<td>%d<td>%,d<td>%.1f<td>%.1f<td>%.1f<td>%.3f</tr>\n",
                Svg.escape(row.strategy().text()),
                choice(row),
                row.budget(),
                row.figures().source().draftMicros(),
                row.figures().source().preparers(),
                outcome.steps(),
                100 * outcome.hitRate(),
                100.0 * outcome.late() / Math.max(1, outcome.steps()),
                100 * outcome.hiddenShare(),
                outcome.speedUp());
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
