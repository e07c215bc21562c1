package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.ReplayRow;
import io.tailrace.lab.replay.ReplayTally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What a replay says about whether drafting is worth it: the first strategy, at the budget with the best estimate.
 *
 * @param row pooled
 */
record GainVerdict(ReplayRow row, CostProfile profile) {
    private static final double WORTH_TRYING = 1.3;
    private static final double SMALL = 1.1;
    private static final long REQUESTS_FEW = 300;

    static GainVerdict of(List<ReplayRow> pooled, CostProfile profile) {
        String first = pooled.get(0).strategy().text();
        return pooled.stream()
                .filter(row -> row.strategy().text().equals(first))
                .max(Comparator.comparingDouble(row -> row.all().speedUp(profile.curve())))
                .map(best -> new GainVerdict(best, profile))
                .orElseThrow();
    }

    private double speedUp() {
        return row.all().speedUp(profile.curve());
    }

    String sentence() {
        String figures = String.format(
                Locale.ROOT,
                "%.2f tokens a step in place of 1, an estimated %.2f times as fast",
                row.all().tokensPerStep(),
                speedUp());
        if (speedUp() >= WORTH_TRYING) {
            return "Worth trying: " + figures + ".";
        }
        return speedUp() >= SMALL
                ? "A small gain: " + figures + "."
                : "Little to gain: " + figures + ". This traffic hardly repeats itself.";
    }

    /** What somebody would do now. */
    List<String> next() {
        ReplayTally all = row.all();
        List<String> next = new ArrayList<>();
        if (all.requests() < REQUESTS_FEW) {
            next.add("Replay more: %,d requests are mostly cold start. Some thousand show what stays."
                    .formatted(all.requests()));
        }
        if (speedUp() >= WORTH_TRYING) {
            next.add("Measure your server's step times and give them with --cost, --step-micros and --batch.");
            next.add("Then let one engine draft, with the setting below: the page \"vLLM in ten minutes\" of Tailrace's"
                    + " documentation goes through it.");
        } else if (speedUp() >= SMALL) {
            next.add("Look at the workloads below: one that gains much may be worth a lane of its own.");
            next.add("Measure your server's step times first (--cost): at this size they decide.");
        } else {
            next.add("Check that scopes are not split too finely: --one-lane shows what all together would give.");
            next.add("If that is no more, drafting from memory does not suit this traffic.");
        }
        return next;
    }
}
