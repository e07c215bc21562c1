package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.internal.OneRequest;
import io.tailrace.client.follow.internal.AnnouncedSnapshots;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Mixer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What the drafts of a lane's next request show of the weights that its requests have learned. */
class LaneWeightsTest {
    private static final int[] PROMPT = {1, 2, 3, 1, 2, 4, 1, 2};

    private final long now = System.currentTimeMillis();

    private static DraftPolicy policy(float... weights) {
        return new DraftPolicy(true, 16, 0.003f, weights.length == 0 ? 0 : Mixer.LAYOUT, weights);
    }

    private static float[] flat(float value) {
        float[] weights = Mixer.defaults().weights();
        Arrays.fill(weights, value);
        return weights;
    }

    private static DraftSource adaptive(LiveSnapshot live) {
        return DraftSources.create(new DraftOptions("adaptive", true), null, scope -> live, 1)
                .source();
    }

    /** The probabilities of a request's first draft, which nobody verifies. */
    private static float[] probabilities(DraftSource source) {
        try (OneRequest drafting = new OneRequest(source, "s", PROMPT)) {
            Draft draft = drafting.draft(8);
            float[] probabilities = new float[draft.size()];
            for (int node = 0; node < probabilities.length; node++) {
                probabilities[node] = draft.probability(node);
            }
            return probabilities;
        }
    }

    /** Requests that say what no draft says. */
    private static void serve(DraftSource source, int requests) {
        for (int request = 0; request < requests; request++) {
            try (OneRequest drafting = new OneRequest(source, "s", PROMPT)) {
                drafting.draft(8);
                drafting.verified(100 + request);
            }
        }
    }

    private float learned(boolean driftAlarm) {
        LoadedSnapshot snapshot = AnnouncedSnapshots.snapshot(1, policy(), 0, driftAlarm);
        try (DraftSource source = adaptive(new LiveSnapshot(snapshot))) {
            float before = probabilities(source)[0];
            serve(source, 5);
            return before - probabilities(source)[0];
        }
    }

    @Test
    void aServingWorkerLearnsFasterWhileADriftAlarmIsOn() {
        float usual = learned(false);
        assertThat(usual).isPositive();
        assertThat(learned(true)).isGreaterThan(1.5f * usual);
    }

    @Test
    void afterARollbackItDraftsAsBeforeWhateverItLearnedInBetween() {
        LoadedSnapshot good = AnnouncedSnapshots.snapshot(1, policy(flat(0.1f)), now - 60_000, false);
        LiveSnapshot live = new LiveSnapshot(good);
        try (DraftSource source = adaptive(live)) {
            serve(source, 20);
            float[] before = probabilities(source);
            live.swap(AnnouncedSnapshots.snapshot(2, policy(flat(9f)), now, true));
            serve(source, 5_000);
            assertThat(probabilities(source)).isNotEqualTo(before);
            live.swap(AnnouncedSnapshots.snapshot(3, policy(flat(0.1f)), now - 60_000, false));
            assertThat(probabilities(source)).isEqualTo(before);
        }
    }
}
