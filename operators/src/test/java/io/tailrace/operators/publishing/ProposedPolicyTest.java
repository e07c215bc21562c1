package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Notice;
import io.tailrace.operators.Samples;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.Policy;
import io.tailrace.suffix.draft.Mixer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of the learned weights when an operator proposes a policy. */
final class ProposedPolicyTest {
    private static final long START = 1_700_000_000_000L;
    private static final long LEARNED_AT = START - 5_000;
    private static final long EVIDENCE = 12_345;

    private final Lane lane =
            new Lane(Lane.State.begin(LANE), PublishingOptions.defaults(), LaneLearning.Options.defaults());
    private final float[] learned = weights(0.5f);
    private int commands;
    private long now = START;

    private static float[] weights(float plus) {
        float[] weights = Mixer.defaults().weights();
        for (int i = 0; i < weights.length; i++) {
            weights[i] += plus;
        }
        return weights;
    }

    private static List<Float> list(float[] weights) {
        List<Float> list = new ArrayList<>();
        for (float weight : weights) {
            list.add(weight);
        }
        return list;
    }

    /** As it lies on topic control. */
    private ControlCommand proposal(boolean enabled, int budgetMax, boolean force, float... weights) {
        int layout = weights.length == 0 ? 0 : Mixer.LAYOUT;
        return ControlCommand.of(new Control(
                "c" + commands++,
                Command.PROPOSE_POLICY,
                "toy",
                "1",
                "acme",
                null,
                null,
                "operator",
                Instant.ofEpochMilli(now),
                new Policy(enabled, budgetMax, 0.01f, layout, list(weights), List.of(), 0L, Instant.EPOCH, 0L),
                force));
    }

    private List<Notice> apply(ControlCommand command) {
        return lane.apply(new LaneInput.Commanded(command), now);
    }

    private void learn() {
        long number = lane.versions().policiesMade() + 1;
        lane.versions().madeTo(number);
        lane.adopt(LanePolicy.defaults().learned(number, learned, LEARNED_AT, EVIDENCE));
        announce();
    }

    private Policy announce() {
        now += 1_000;
        lane.cadence().makeDue(AnnouncementCause.CADENCE);
        return lane.announce(now, Samples.MODELS.identity(LANE), 1)
                .orElseThrow()
                .manifest()
                .getPolicy();
    }

    @Test
    void switchingOffKeepsWhatWasLearnedAndSoDoesSwitchingOn() {
        learn();
        apply(proposal(false, 16, true));
        Policy off = announce();
        assertThat(off.getEnabled()).isFalse();
        assertThat(off.getNumber()).isEqualTo(2);
        assertThat(off.getWeights()).isEqualTo(list(learned));
        assertThat(off.getWeightsLayout()).isEqualTo(Mixer.LAYOUT);
        apply(proposal(true, 31, true));
        Policy on = announce();
        assertThat(on.getEnabled()).isTrue();
        assertThat(on.getBudgetMax()).isEqualTo(31);
        assertThat(on.getProbabilityFloor()).isEqualTo(0.01f);
        assertThat(on.getWeights()).isEqualTo(list(learned));
    }

    /** Else workers would take away from their own weights what they have learned since. */
    @Test
    void weightsThatGoOnSayWhatTheyWereLearnedFromAsBefore() {
        learn();
        apply(proposal(true, 31, true));
        Policy policy = announce();
        assertThat(policy.getLearnedAt()).isEqualTo(Instant.ofEpochMilli(LEARNED_AT));
        assertThat(policy.getEvidence()).isEqualTo(EVIDENCE);
    }

    @Test
    void aJudgedProposalWithoutWeightsIsJudgedWithThoseThatAreLive() {
        learn();
        List<Notice> notices = apply(proposal(true, 8, false));
        assertThat(notices).singleElement().satisfies(notice -> {
            assertThat(notice.kind()).isEqualTo(EventKind.POLICY_PROPOSED);
            assertThat(notice.policy().getWeights()).isEqualTo(list(learned));
            assertThat(notice.policy().getBudgetMax()).isEqualTo(8);
        });
        assertThat(announce().getBudgetMax())
                .as("nothing is live before it is judged")
                .isEqualTo(16);
    }

    @Test
    void givenWeightsAreTakenAsTheyAre() {
        learn();
        float[] given = weights(-0.25f);
        long issuedAt = now;
        apply(proposal(true, 16, true, given));
        Policy policy = announce();
        assertThat(policy.getWeights()).isEqualTo(list(given));
        assertThat(policy.getLearnedAt()).isEqualTo(Instant.ofEpochMilli(issuedAt));
        assertThat(policy.getEvidence()).isZero();
        apply(proposal(true, 16, true, Mixer.defaults().weights()));
        assertThat(announce().getWeights()).isEqualTo(list(Mixer.defaults().weights()));
    }

    @Test
    void aLaneThatHasLearnedNothingGoesOnWithTheProductsWeights() {
        announce();
        apply(proposal(true, 31, true));
        Policy policy = announce();
        assertThat(policy.getBudgetMax()).isEqualTo(31);
        assertThat(policy.getWeights()).isEmpty();
        assertThat(LanePolicy.given(policy, 1, 0).effectiveWeights())
                .isEqualTo(Mixer.defaults().weights());
    }

    @Test
    void aRollbackBringsBackThePolicyFromBeforeWithItsWeights() {
        learn();
        long good = lane.versions().last();
        apply(proposal(true, 16, true, weights(-3)));
        announce();
        apply(proposal(false, 16, true));
        assertThat(announce().getWeights()).isEqualTo(list(weights(-3)));
        apply(Samples.command("r1", Command.ROLLBACK, good));
        Policy policy = announce();
        assertThat(policy.getNumber()).isEqualTo(1);
        assertThat(policy.getWeights()).isEqualTo(list(learned));
    }
}
