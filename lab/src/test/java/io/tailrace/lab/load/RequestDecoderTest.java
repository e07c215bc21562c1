package io.tailrace.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.draft.internal.DrafterMaker;
import io.tailrace.client.draft.internal.LaneDrafts;
import io.tailrace.client.draft.internal.LaneMakers;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.client.verification.DecodeResult;
import io.tailrace.client.verification.DecodeTally;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.AdaptiveDrafter;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.draft.SourceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestDecoderTest {
    private static final RecordedVerifier.StepTime STEP_TIME = new RecordedVerifier.StepTime(100, 7);

    @Test
    void outputIsTheRecordedAnswerWhateverTheDrafts() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            int[] answer = random.ints(1 + random.nextInt(60), 0, 50).toArray();
            OracleDrafter drafter = new OracleDrafter(answer, random);
            DecodeResult result = decode(answer, drafter, live(DraftPolicy.defaults()), RequestDecoder.Sources.SHARED);
            DecodeTally tally = result.tally();
            assertThat(result.output()).as("seed %d", seed).isEqualTo(answer);
            assertThat(tally.accepted() + tally.steps())
                    .as("seed %d: accepted and one bonus a step, but the last", seed)
                    .isBetween(answer.length, answer.length + 1);
            assertThat(tally.accepted()).isLessThanOrEqualTo(tally.drafted());
            checkSplits(tally);
        }
    }

    @Test
    void stepTimesAreOfTheStatedCurve() {
        int[] answer = new Random(3).ints(200, 0, 50).toArray();
        DecodeTally tally = decode(
                        answer,
                        new OracleDrafter(answer, new Random(3)),
                        live(DraftPolicy.defaults()),
                        RequestDecoder.Sources.SHARED)
                .tally();
        tally.stepTimes().forEach((shape, total) -> {
            assertThat(shape.batch()).isEqualTo(1);
            assertThat(total.micros()).isEqualTo(total.steps() * STEP_TIME.micros(shape.verifiedTokens()));
        });
    }

    @Test
    void laneThatIsSwitchedOffIsDecodedOneTokenAStep() {
        int[] answer = {5, 6, 7};
        DraftPolicy off = new DraftPolicy(false, 16, 0.003f, 0, new float[0]);
        DecodeTally tally = decode(
                        answer, new OracleDrafter(answer, new Random(1)), live(off), RequestDecoder.Sources.SHARED)
                .tally();
        assertThat(tally.steps()).isEqualTo(3);
        assertThat(tally.drafted()).isZero();
    }

    @Test
    void policyLimitsTheBudget() {
        int[] answer = new Random(5).ints(100, 0, 50).toArray();
        DraftPolicy narrow = new DraftPolicy(true, 2, 0.003f, 0, new float[0]);
        DecodeTally tally = decode(
                        answer, new OracleDrafter(answer, new Random(1)), live(narrow), RequestDecoder.Sources.SHARED)
                .tally();
        assertThat(tally.drafted()).isLessThanOrEqualTo(2 * tally.steps());
    }

    @Test
    void ownContextOnlyNeverLooksIntoSharedSources() {
        int[] answer = {1, 2, 3};
        OracleDrafter drafter = new OracleDrafter(answer, new Random(1));
        LiveSnapshot own = new LaneServing.OwnContext().under(live(DraftPolicy.defaults()));
        decode(answer, drafter, own, RequestDecoder.Sources.OWN_CONTEXT);
        assertThat(drafter.lastIndex()).isSameAs(LaneIndex.EMPTY);
        assertThat(own.policy()).isEqualTo(DraftPolicy.defaults());
    }

    @Test
    void snapshotSwappedBetweenStepsIsUsedFromTheNextOn() {
        for (int budget : new int[] {0, 4}) {
            int[] answer = new Random(9).ints(40, 0, 50).toArray();
            AtomicInteger closed = new AtomicInteger();
            LiveSnapshot live = new LiveSnapshot(snapshot(7, DraftPolicy.defaults(), closed));
            RecordedVerifier inner = new RecordedVerifier(STEP_TIME, answer);
            RequestDecoder.Verifier swapping = after(inner, () -> {
                if (live.version() == 7) {
                    live.swap(snapshot(8, DraftPolicy.defaults(), new AtomicInteger()));
                    assertThat(closed)
                            .as("leased by the running step, if it drafts")
                            .hasValue(budget == 0 ? 1 : 0);
                }
            });
            DecodeResult result = new RequestDecoder(budget, nanos -> {})
                    .decode(
                            new int[0],
                            swapping,
                            drafts(new OracleDrafter(answer, new Random(1)), live),
                            live,
                            RequestDecoder.Sources.SHARED);
            assertThat(result.snapshotVersionFirst()).isEqualTo(7);
            assertThat(result.snapshotVersionLast()).isEqualTo(8);
            assertThat(closed).hasValue(1);
        }
    }

    @Test
    void draftOverItsBudgetIsABug() {
        int[] answer = {1, 2, 3, 4};
        LiveSnapshot live = live(DraftPolicy.defaults());
        RequestDecoder decoder = new RequestDecoder(1, nanos -> {});
        FakeDraft tooLarge = new FakeDraft().node(-1, 1).node(0, 2);
        RecordedVerifier session = new RecordedVerifier(STEP_TIME, answer);
        assertThatThrownBy(() -> decoder.decode(
                        new int[0],
                        session,
                        drafts(new FixedDrafter(tooLarge), live),
                        live,
                        RequestDecoder.Sources.SHARED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("budget");
        assertThat(live.lease().version()).as("the lease was given back").isEqualTo(1);
    }

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

    @Test
    void aLaneThatIsSwitchedOffNeverCallsItsDrafter() {
        int[] answer = IntStream.range(0, 200).toArray();
        for (DraftPolicy off : List.of(policy(false, 16), policy(true, 0))) {
            List<Long> draftTimes = new ArrayList<>();
            DecodeTally tally = decode(answer, UNTOUCHED, live(off), draftTimes::add);
            assertThat(tally.steps()).isEqualTo(answer.length);
            assertThat(tally.drafted()).isZero();
            assertThat(tally.draftNanos()).isZero();
            assertThat(draftTimes).isEmpty();
        }
        assertThatThrownBy(() -> decode(answer, UNTOUCHED, live(policy(true, 16)), nanos -> {}))
                .isInstanceOf(AssertionError.class);
    }

    /** What the drafter learned from the request before is not told again. */
    @Test
    void aRequestWithoutDraftsTellsOfNothingLearned() {
        int[] answer = IntStream.range(0, 60).map(i -> i % 5).toArray();
        AdaptiveDrafter drafter = new AdaptiveDrafter(Mixer.defaults(), policy(true, 16));
        assertThat(decode(answer, drafter, live(policy(true, 16)), nanos -> {}).predictions())
                .isPositive();
        assertThat(decode(answer, drafter, live(policy(false, 16)), nanos -> {}).predictions())
                .isZero();
    }

    private static DraftPolicy policy(boolean enabled, int budgetMax) {
        return new DraftPolicy(enabled, budgetMax, 0.003f, 0, new float[0]);
    }

    private static DecodeTally decode(int[] answer, Drafter drafter, LiveSnapshot live, LongConsumer draftNanos) {
        RecordedVerifier session = new RecordedVerifier(STEP_TIME, answer);
        return new RequestDecoder(16, draftNanos)
                .decode(new int[] {1}, session, drafts(drafter, live), live, RequestDecoder.Sources.SHARED)
                .tally();
    }

    private static void checkSplits(DecodeTally tally) {
        int drafted = 0;
        int accepted = 0;
        for (SourceKind kind : SourceKind.values()) {
            for (int length = 0; length < DecodeTally.matchLengthClasses(); length++) {
                drafted += tally.drafted(kind, length);
                accepted += tally.accepted(kind, length);
            }
        }
        assertThat(drafted).isEqualTo(tally.drafted());
        assertThat(accepted).isEqualTo(tally.accepted());
        assertThat(tally.stepTimes().values().stream()
                        .mapToInt(DecodeTally.StepTotal::steps)
                        .sum())
                .isEqualTo(tally.steps());
    }

    private static DecodeResult decode(
            int[] answer, OracleDrafter drafter, LiveSnapshot live, RequestDecoder.Sources sources) {
        RecordedVerifier session = new RecordedVerifier(STEP_TIME, answer);
        return new RequestDecoder(16, nanos -> {}).decode(new int[] {1}, session, drafts(drafter, live), live, sources);
    }

    private static DraftSource drafts(Drafter drafter, LiveSnapshot live) {
        return new LaneDrafts("test", scope -> live, new LaneMakers(1, () -> DrafterMaker.of(policy -> drafter)));
    }

    private static LiveSnapshot live(DraftPolicy policy) {
        return new LiveSnapshot(snapshot(1, policy, new AtomicInteger()));
    }

    private static LoadedSnapshot snapshot(long version, DraftPolicy policy, AtomicInteger closed) {
        return new LoadedSnapshot(version, policy, new LaneIndex(List.of(), null, null), closed::incrementAndGet);
    }

    private static RequestDecoder.Verifier after(RequestDecoder.Verifier inner, Runnable afterEach) {
        return (draft, into) -> {
            inner.verify(draft, into);
            afterEach.run();
        };
    }

    private record FixedDrafter(FakeDraft draft) implements Drafter {
        @Override
        public void begin(int[] prompt, int length) {
            // Knows nothing.
        }

        @Override
        public Draft draft(LaneIndex index, int budget) {
            return draft;
        }

        @Override
        public void verified(int[] tokens, int length) {
            // Learns nothing.
        }
    }
}
