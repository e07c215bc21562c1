package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Notice;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LearningReport;
import io.tailrace.operators.learning.RetentionTrial;
import io.tailrace.operators.publishing.TwinStore.Doc;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * The judge of what is to leave a lane, who decides by lot. What leaves then is what was judged, or nothing.
 *
 * @param where said of whatever does not hold
 */
record JudgeByLot(Lane lane, TwinStore store, String where) {
    /** One of the judge's doings: something is put up, decided, or found to be of another version. */
    void act(Random random, long now) {
        RetentionTrial learning = lane.learning().retention();
        RetentionTrial.Candidate before = learning.candidate();
        Optional<Notice> withdrawn = lane.review(now);
        if (withdrawn.isPresent()) {
            assertThat(learning.candidate()).as(where).isNull();
            assertThat(before.number()).as(where).isPositive();
        }
        RetentionTrial.Candidate candidate = learning.candidate();
        if (candidate == null) {
            return;
        }
        assertThat(store.docs(candidate.replaced())).as(where).containsAll(store.docs(candidate.remaining()));
        if (candidate.number() == 0) {
            long number = lane.versions().policiesMade() + 1;
            lane.versions().madeTo(number);
            lane.learning().propose(lane.versions().policy(), number, now);
            assertThat(lane.learning().trialNumber()).as(where).isEqualTo(number);
        } else {
            decide(candidate, random.nextBoolean(), now);
        }
    }

    /** @param harmless whether evaluations need nothing of what would leave */
    void decide(RetentionTrial.Candidate candidate, boolean harmless, long now) {
        int[] live = new int[4_000];
        Arrays.fill(live, 100);
        int[] without = new int[4_000];
        Arrays.fill(without, harmless ? 99 : 120);
        LaneLearning.Judgement judgement = lane.learning()
                .onReport(
                        lane.versions().policy(),
                        new LearningReport(
                                LANE,
                                0,
                                new float[0],
                                0,
                                0,
                                LearningReport.Totals.ZERO,
                                Map.of(),
                                candidate.number(),
                                live,
                                without))
                .orElseThrow();
        Set<Doc> gone = store.layout(lane);
        lane.onJudged(judgement, now);
        gone.removeAll(store.layout(lane));
        assertThat(judgement.adopted()).as(where).isEqualTo(harmless);
        Set<Doc> judged = new HashSet<>(store.docs(candidate.replaced()));
        judged.removeAll(store.docs(candidate.remaining()));
        assertThat(gone).as(where).isEqualTo(harmless ? judged : Set.of());
    }
}
