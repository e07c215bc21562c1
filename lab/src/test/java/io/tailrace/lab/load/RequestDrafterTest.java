package io.tailrace.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.follow.LiveSnapshot;
import io.tailrace.client.follow.LoadedSnapshot;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.lab.recorded.InputPosition;
import io.tailrace.lab.recorded.RecordedRequest;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.testkit.Cases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestDrafterTest {
    private static final SimulatedStepTime STEP_TIME = new SimulatedStepTime(100, 7);

    /** Whoever calls it breaks the test. */
    private static final Drafter UNTOUCHED = new Drafter() {
        @Override
        public void begin(int[] prompt, int length) {
            throw new AssertionError("begun");
        }

        @Override
        public Draft draft(LaneIndex index, int budget) {
            throw new AssertionError("asked for a draft");
        }

        @Override
        public void verified(int[] tokens, int length) {
            throw new AssertionError("told what was verified");
        }
    };

    private final List<Long> draftTimes = new ArrayList<>();

    private static DraftPolicy policy(boolean enabled) {
        return new DraftPolicy(enabled, 16, 0.003f, 0, new float[0]);
    }

    private static LoadedSnapshot snapshot(long version, DraftPolicy policy) {
        return new LoadedSnapshot(version, policy, LaneIndex.EMPTY, () -> {});
    }

    private DecodeTally decode(int[] answer, Drafter drafter, LiveSnapshot live) {
        RecordedRequest request = new RecordedRequest(
                "r", "s", "w", null, null, new int[] {1}, 1, answer, new InputPosition(Path.of("f"), 1));
        try (VerifierSession session = new RecordedVerifier(STEP_TIME).begin(request)) {
            return new RequestDecoder(16, draftTimes::add)
                    .decode(request.prompt(), session, drafter, live, Sources.SHARED)
                    .tally();
        }
    }

    @Test
    void aLaneThatIsSwitchedOffNeverCallsItsDrafter() {
        int[] answer = IntStream.range(0, 200).toArray();
        for (DraftPolicy off : List.of(policy(false), new DraftPolicy(true, 0, 0.003f, 0, new float[0]))) {
            DecodeTally tally = decode(answer, UNTOUCHED, new LiveSnapshot(snapshot(1, off)));
            assertThat(tally.steps()).isEqualTo(answer.length);
            assertThat(tally.drafted()).isZero();
            assertThat(tally.draftNanos()).isZero();
            assertThat(draftTimes).isEmpty();
        }
        assertThatThrownBy(() -> decode(answer, UNTOUCHED, new LiveSnapshot(snapshot(1, policy(true)))))
                .isInstanceOf(AssertionError.class);
    }

    /** What the drafter learned from the request before is not told again. */
    @Test
    void aRequestWithoutDraftsTellsOfNothingLearned() {
        int[] answer = IntStream.range(0, 60).map(i -> i % 5).toArray();
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), policy(true));
        assertThat(decode(answer, drafter, new LiveSnapshot(snapshot(1, policy(true))))
                        .predictions())
                .isPositive();
        assertThat(decode(answer, drafter, new LiveSnapshot(snapshot(2, policy(false))))
                        .predictions())
                .isZero();
    }

    /** Steps with and without drafts in any order: the drafts are those of a drafter that was told everything at once. */
    @Test
    void whoDraftsAgainKnowsAllThatWasSaid() {
        Cases.forEachSeed(2_000, seed -> {
            Random random = new Random(seed);
            int[] prompt = random.ints(random.nextInt(6), 0, 4).toArray();
            int[] given = prompt.clone();
            AdaptiveDrafter told = new AdaptiveDrafter(Mixer.defaults(), policy(true));
            RequestDrafter drafts = new RequestDrafter(new AdaptiveDrafter(Mixer.defaults(), policy(true)), given);
            told.begin(prompt, prompt.length);
            for (int step = 0; step < 30; step++) {
                int budget = random.nextInt(3) == 0 ? 4 : 0;
                Draft draft = drafts.draft(LaneIndex.EMPTY, budget, 0);
                assertThat(nodes(draft))
                        .isEqualTo(budget == 0 ? List.of() : nodes(told.draft(LaneIndex.EMPTY, budget)));
                int[] tokens = random.ints(3, 0, 4).toArray();
                int count = 1 + random.nextInt(tokens.length);
                drafts.verified(tokens, count);
                told.verified(tokens, count);
            }
            assertThat(given).as("the caller's prompt").isEqualTo(prompt);
            DecodeTally tally = new DecodeTally();
            drafts.learned(tally);
            assertThat(tally.predictions()).isEqualTo(told.predictions());
        });
    }

    private static List<String> nodes(Draft draft) {
        return IntStream.range(0, draft.size())
                .mapToObj(node ->
                        Arrays.toString(new int[] {draft.parent(node), draft.token(node)}) + draft.probability(node))
                .toList();
    }
}
