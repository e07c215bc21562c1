package io.tailrace.lab.replay.report;

import io.tailrace.lab.replay.ReplayRow;
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
    /** Where nothing was drafted, what this many tokens would cost is said. */
    private static final int DRAFTED_OTHERWISE = 8;

    private static final String MEASURE =
            "Measure your server's step times and give them with --cost, --step-micros and --batch.";

    static GainVerdict of(List<ReplayRow> pooled, CostProfile profile) {
        String first = pooled.get(0).strategy().text();
        return pooled.stream()
                .filter(row -> row.strategy().text().equals(first))
                .max(Comparator.comparingDouble(row -> profile.speedUp(row.all())))
                .map(best -> new GainVerdict(best, profile))
                .orElseThrow();
    }

    double speedUp() {
        return profile.speedUp(row.all());
    }

    private double alone() {
        return profile.speedUpAlone(row.all());
    }

    private boolean isFew() {
        return row.all().requests() < REQUESTS_FEW;
    }

    /** Whether it is the other requests of a step that leave little of the gain. */
    private boolean isLostToTheBatch() {
        return speedUp() < SMALL && alone() >= SMALL;
    }

    String sentence() {
        if (isFew()) {
            return "Too few to say: %,d requests, and it takes %,d. So far %s."
                    .formatted(row.all().requests(), REQUESTS_FEW, figures());
        }
        if (speedUp() >= WORTH_TRYING) {
            return "Worth trying: " + figures() + ".";
        }
        if (speedUp() >= SMALL) {
            return "A small gain: " + figures() + ".";
        }
        return "Little to gain: " + figures()
                + (isLostToTheBatch()
                        ? ". This traffic repeats itself, but in steps of that many requests drafts cost what they save."
                        : ". This traffic hardly repeats itself.");
    }

    /** Tokens a step and the estimate; both ends of it where it hangs on how many requests share a step. */
    String figures() {
        String figures = String.format(
                Locale.ROOT,
                "%.2f tokens a step in place of 1, an estimated %.2f times as fast",
                row.all().tokensPerStep(),
                speedUp());
        return alone() < SMALL * speedUp()
                ? figures
                : figures
                        + String.format(
                                Locale.ROOT,
                                " in steps of %d requests, %.2f alone",
                                profile.cost().batch(),
                                alone());
    }

    /** Under which the sentence holds. */
    String assumptions() {
        return profile.assumptions(row.budget() == 0 ? DRAFTED_OTHERWISE : row.budget());
    }

    /** What somebody would do now. */
    List<String> next() {
        List<String> next = new ArrayList<>();
        if (isFew()) {
            next.add("Replay more: %,d requests are mostly cold start. Some thousand show what stays."
                    .formatted(row.all().requests()));
            next.add(MEASURE);
        } else if (speedUp() >= WORTH_TRYING) {
            next.add(MEASURE);
            next.add("Then let one engine draft: the setting below says how.");
        } else if (speedUp() >= SMALL) {
            next.add("Look at the workloads below: one that gains much may be worth a lane of its own.");
            next.add("Measure your server's step times first (--cost): at this size they decide.");
        } else if (isLostToTheBatch()) {
            next.add("Try shorter drafts (--budget 1,2,4): in large batches they pay first.");
            next.add("Measure your server's step times (--cost, --step-micros, --batch): here they decide. What drafts"
                    + " beside an engine measures them, too, and verifies only what pays.");
        } else {
            next.add("Check that scopes are not split too finely: --one-lane shows what all together would give.");
            next.add("If that is no more, drafting from memory does not suit this traffic.");
        }
        return next;
    }
}
