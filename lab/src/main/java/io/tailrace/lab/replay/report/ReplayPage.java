package io.tailrace.lab.replay.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.samskivert.mustache.Mustache;
import io.tailrace.lab.replay.AssumedCost;
import io.tailrace.lab.replay.OverlapSimulation;
import io.tailrace.lab.replay.Reliability;
import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayRun;
import io.tailrace.lab.replay.ReplayTally;
import io.tailrace.lab.replay.SimulatedSpeculation;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The report: one HTML file with everything in it, the chart library included, that asks no network. */
final class ReplayPage {
    private final String command;
    private final EngineSetting setting;
    private final GainVerdict verdict;
    private final AssumedCost cost;
    private final String weights;
    private final List<ReplayRun.Done> done;
    private final List<ReplayRow> rows;
    private final List<ReplayRow> pooled;
    private final PageCharts charts;

    ReplayPage(
            String command,
            EngineSetting setting,
            String weights,
            List<ReplayRun.Done> done,
            List<ReplayRow> rows,
            List<ReplayRow> pooled) {
        this.command = command;
        this.setting = setting;
        this.verdict = setting.verdict();
        this.cost = verdict.profile().cost();
        this.weights = weights;
        this.done = done;
        this.rows = rows;
        this.pooled = pooled;
        this.charts = new PageCharts(pooled);
    }

    void write(
            Path file,
            String provenance,
            InputProfile input,
            int replicas,
            List<SharingModes.Mode> sharing,
            List<ReplayRow> calibrated,
            List<SimulatedSpeculation.Row> speculation)
            throws IOException {
        Map<String, Object> page = new HashMap<>();
        page.put("command", command);
        page.put("provenance", provenance);
        page.put("weights", weights);
        page.put("cost", costText());
        page.put("batch", cost.batch());
        page.put("verdict", verdict.sentence());
        page.put("tiles", tiles());
        page.put("profile", verdict.profile().name());
        page.put("assumptions", verdict.assumptions());
        page.put("next", verdict.next());
        page.put("without", setting.without().stream().toList());
        page.put("settings", setting.lines());
        page.put("settingNotes", setting.notes());
        page.put("input", input.figures());
        page.put("readings", input.readings());
        page.put("shared", !sharing.isEmpty());
        page.put("replicas", replicas);
        page.put("lag", SharingModes.aboutLag(requestsMax()));
        page.put("modes", modes(sharing));
        page.put("legend", legend());
        page.put("manyBudgets", charts.hasManyBudgets());
        page.put("seriesBudget", charts.streamsBudget());
        page.put("streamsAll", PageCharts.names(done).size());
        page.put("streamsShown", PageCharts.STREAMS_MAX);
        page.put("streamsCut", PageCharts.names(done).size() > PageCharts.STREAMS_MAX);
        page.put("calibrated", !calibrated.isEmpty());
        page.put("verdicts", calibrated.stream().map(ReplayPage::verdict).toList());
        page.put("speculated", !speculation.isEmpty());
        page.put("speculation", speculation.stream().map(ReplayPage::cells).toList());
        page.put("rows", all().stream().map(this::cells).toList());
        page.put("data", data(sharing, calibrated, speculation));
        page.putAll(Resources.charts());
        Files.writeString(
                file,
                Mustache.compiler().compile(Resources.own("page.mustache")).execute(page));
    }

    /** Of the longest stream. */
    private int requestsMax() {
        return done.stream()
                .mapToInt(one -> one.run().stream().cases().size())
                .max()
                .orElse(0);
    }

    private List<ReplayRow> all() {
        List<ReplayRow> all = new ArrayList<>(rows);
        all.addAll(pooled);
        return all;
    }

    /** What the charts show; safe inside a script element whatever workloads are called. */
    private String data(
            List<SharingModes.Mode> sharing, List<ReplayRow> calibrated, List<SimulatedSpeculation.Row> speculation)
            throws JsonProcessingException {
        charts.workloads(all());
        charts.sharing(sharing);
        charts.overBudgets(pooled, cost);
        charts.streams(done);
        calibrated.forEach(charts::reliability);
        charts.speculation(speculation);
        return new ObjectMapper()
                .writeValueAsString(Map.of("charts", charts.charts()))
                .replace("<", "\\u003c");
    }

    /** The three numbers that decide. */
    private List<Map<String, Object>> tiles() {
        ReplayTally all = verdict.row().all();
        CostProfile profile = verdict.profile();
        return List.of(
                tile(
                        format("%.2f", all.tokensPerStep()),
                        "tokens a step",
                        format(
                                "%s, budget %d%s; 1 without drafts",
                                verdict.row().strategy().text(),
                                verdict.row().budget(),
                                setting.inOneLine()
                                        .map(line -> format(
                                                ", trees (%.2f in one line)",
                                                line.row().all().tokensPerStep()))
                                        .orElse(""))),
                tile(
                        format("%.1f ms", profile.millis(all)),
                        "an output token, estimated",
                        format("%.1f ms without drafts", profile.plainMillis())),
                tile(
                        format("%.2f GPU hours", profile.savedHours(all)),
                        "saved in a million output tokens, estimated",
                        format(
                                "of %.2f without drafts; this replay had %,d tokens",
                                profile.plainHours(), all.tokens())));
    }

    private List<Map<String, Object>> modes(List<SharingModes.Mode> sharing) {
        List<Map<String, Object>> legend = new ArrayList<>();
        for (SharingModes.Mode mode : sharing) {
            legend.add(Map.of(
                    "name",
                    mode.name(),
                    "colour",
                    PageCharts.colour(legend.size()),
                    "figure",
                    format("%.2f", mode.pooled().all().tokensPerStep())));
        }
        return legend;
    }

    private static Map<String, Object> tile(String figure, String of, String what) {
        return Map.of("figure", figure, "of", of, "what", what);
    }

    private List<Map<String, Object>> legend() {
        List<Map<String, Object>> legend = new ArrayList<>();
        for (String strategy : charts.strategies()) {
            legend.add(Map.of("name", strategy, "colour", PageCharts.colour(legend.size())));
        }
        return legend;
    }

    private static String verdict(ReplayRow row) {
        return format(
                "%s, budget %d: %s",
                row.strategy().text(),
                row.budget(),
                Reliability.Calibration.of(row.all()).describe());
    }

    private Map<String, Object> cells(ReplayRow row) {
        ReplayTally all = row.all();
        ReplayTally firsts = row.withoutRepeats();
        List<String> cells = List.of(
                row.workload(),
                row.strategy().text(),
                Integer.toString(row.budget()),
                format("%,d", all.requests()),
                format("%,d", all.steps()),
                format("%.3f", all.tokensPerStep()),
                format("%.3f", all.acceptedPerStep()),
                format("%.2f", all.draftedPerStep()),
                format("%.1f", 100 * all.acceptanceRate()),
                format("%.2f", all.speedUp(cost)),
                format("%.1f", all.draftMicros(0.5)),
                format("%.1f", all.draftMicros(0.99)),
                format("%,d", firsts.requests()),
                format("%.3f", firsts.tokensPerStep()),
                format("%.3f", firsts.acceptedPerStep()));
        return Map.of("cells", cells, "pooled", row.workload().equals(ReplayRow.POOLED));
    }

    private static Map<String, Object> cells(SimulatedSpeculation.Row row) {
        OverlapSimulation.Outcome outcome = row.figures().outcome();
        List<String> cells = List.of(
                row.strategy().text(),
                ReplayJson.name(row.figures().choice()),
                Integer.toString(row.budget()),
                format("%,d", row.figures().source().draftMicros()),
                Integer.toString(row.figures().source().preparers()),
                format("%,d", outcome.steps()),
                format("%.1f", 100 * outcome.hitRate()),
                format("%.1f", 100.0 * outcome.late() / Math.max(1, outcome.steps())),
                format("%.1f", 100 * outcome.hiddenShare()),
                format("%.3f", outcome.speedUp()));
        return Map.of("cells", cells);
    }

    private String costText() {
        return cost.points().stream()
                .map(point -> point.tokens() + ":" + format("%s", point.time()))
                .collect(Collectors.joining(","));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** What the report is made of beside figures: its template and script, and the chart library from the class path. */
    static final class Resources {
        private static final String LIBRARY = "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
        private static final String LIBRARY_FILES = "/META-INF/resources/webjars/chart.js/%s/";

        private static final String TABLES = "/io/tailrace/terminal/tables.js";

        private Resources() {}

        /** The library with its licence, and the script that calls it, under the names that the template has for them. */
        static Map<String, Object> charts() throws IOException {
            Properties library = new Properties();
            library.load(new StringReader(own(LIBRARY)));
            String version = library.getProperty("version");
            String files = LIBRARY_FILES.formatted(version);
            return Map.of(
                    "chartVersion",
                    version,
                    "chartLicence",
                    own(files + "LICENSE.md"),
                    "chartLibrary",
                    withoutSourceMap(own(files + "dist/chart.umd.min.js")),
                    "chartScript",
                    own(TABLES) + own("charts.js"));
        }

        /** The text of a resource, by its path or beside this class. */
        static String own(String name) throws IOException {
            try (InputStream in = Resources.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IllegalStateException("resource " + name + " must be on the class path, found none");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }

        /** A browser's tools would ask for the map, a file that is not there. */
        private static String withoutSourceMap(String script) {
            int at = script.lastIndexOf("//# sourceMappingURL=");
            return at < 0 ? script : script.substring(0, at);
        }
    }
}
