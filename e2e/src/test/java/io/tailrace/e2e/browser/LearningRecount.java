package io.tailrace.e2e.browser;

import io.tailrace.schemas.DriftStanding;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.draft.Mixer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What page Learning is to show of announced versions, counted from their records alone. */
final class LearningRecount {
    private static final List<String> SOURCES =
            List.of("own", "older", "newest", "fresh", "shared-gapped", "own-gapped", "aligned", "similar", "said");
    /** Of match, for each of which a source has a weight. */
    private static final int LENGTHS = 8;
    /** Similar answers have three more, by rank. */
    private static final int RANKS = 3;
    /** Other inputs; their weights stand behind those of all sources. */
    private static final int OTHERS = 16;
    /** By longest match, and by number of candidates. */
    private static final int SETS = 15 + 32;

    private static final String SHIPPED = "mixer-weights-layout-1.txt";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private LearningRecount() {}

    /** Each source's part of the absolute weights, of the policy and of the product's own. */
    static List<List<String>> weights(SnapshotManifest newest) throws IOException {
        List<Float> shipped = shipped();
        List<Float> live = newest.getPolicy().getWeights();
        double[] now = percent(live.isEmpty() ? shipped : live);
        double[] then = percent(shipped);
        List<List<String>> rows = new ArrayList<>();
        for (int source = 0; source < SOURCES.size(); source++) {
            rows.add(List.of(
                    SOURCES.get(source), text(now[source]), text(then[source]), text(now[source] - then[source])));
        }
        return rows;
    }

    /** One number a line. */
    private static List<Float> shipped() throws IOException {
        try (InputStream file = Mixer.class.getResourceAsStream(SHIPPED)) {
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .map(Float::valueOf)
                    .toList();
        }
    }

    private static double[] percent(List<Float> weights) {
        double[] sums = new double[SOURCES.size()];
        double all = 0;
        int at = 0;
        for (int set = 0; set < SETS; set++) {
            for (int poll = 0; poll <= SOURCES.size(); poll++) { // the last one: similar answers by rank
                for (int length = 0; length < (poll == SOURCES.size() ? RANKS : LENGTHS); length++) {
                    double weight = Math.abs(weights.get(at++));
                    sums[poll == SOURCES.size() ? SOURCES.indexOf("similar") : poll] += weight;
                    all += weight;
                }
            }
            at += OTHERS;
        }
        for (int source = 0; source < sums.length; source++) {
            sums[source] *= 100 / all;
        }
        return sums;
    }

    /** Newest first. */
    static List<List<String>> drift(Collection<SnapshotManifest> versions) {
        return versions.stream()
                .filter(version -> version.getDrift() != null)
                .sorted(Comparator.comparingLong(SnapshotManifest::getVersion).reversed())
                .map(LearningRecount::row)
                .toList();
    }

    private static List<String> row(SnapshotManifest version) {
        DriftStanding drift = version.getDrift();
        return List.of(
                Long.toString(version.getVersion()),
                TIME.format(version.getCreatedAt()),
                text(drift.getEvidence()),
                drift.getAlarm() ? "yes" : "no",
                orDash(drift.getNovelty()),
                orDash(drift.getNoveltyReference()),
                text(drift.getLogLoss()),
                orDash(drift.getLogLossReference()));
    }

    static List<Map.Entry<String, String>> tiles(SnapshotManifest newest) {
        DriftStanding drift = newest.getDrift();
        return List.of(
                Map.entry("live policy", Long.toString(newest.getPolicy().getNumber())),
                Map.entry("drift alarm is on", drift.getAlarm() ? "yes" : "no"),
                Map.entry("drift alarms so far", Long.toString(drift.getAlarms())),
                Map.entry("evidence, ln", text(drift.getEvidence())));
    }

    private static String orDash(double figure) {
        return figure == 0 ? "-" : text(figure);
    }

    private static String text(double figure) {
        return String.format(Locale.ROOT, "%.2f", figure);
    }
}
