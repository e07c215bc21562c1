package io.tailrace.client.draft.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.draft.internal.LaneMakers.LaneMaker;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.testkit.Cases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LaneMakersTest {
    private static final LoadedSnapshot[] POLICIES = {
        new LoadedSnapshot(1, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}),
        new LoadedSnapshot(2, DraftPolicy.unannounced(), LaneIndex.EMPTY, () -> {})
    };

    private long now = 1_000_000;
    private int made;

    private LaneMakers makers(int idleMax) {
        return makers(idleMax, new ContextRoom(800, 0));
    }

    private LaneMakers makers(int idleMax, ContextRoom room) {
        return new LaneMakers(idleMax, () -> DrafterMaker.of(policy -> new Numbered(made++)), room, () -> now);
    }

    /** However many were served at once, in whichever lanes. */
    @Test
    void noMoreDraftersWaitThanRequestsMayRunAndTheLaneAskedForLongestAgoLosesItsOwn() {
        LaneMakers makers = makers(2);
        LaneMaker first = makers.of("first", 0);
        LaneMaker second = makers.of("second", 0);
        List<HousedDrafter> ofFirst = List.of(first.take(POLICIES[0], 1), first.take(POLICIES[0], 1));
        List<HousedDrafter> ofSecond = List.of(second.take(POLICIES[0], 1), second.take(POLICIES[0], 1));
        ofFirst.forEach(drafter -> first.giveBack(drafter, POLICIES[0].policy()));
        assertThat(makers.idle()).isEqualTo(2);
        ofSecond.forEach(drafter -> second.giveBack(drafter, POLICIES[0].policy()));
        assertThat(makers.idle()).isEqualTo(2);
        assertThat(List.of(second.take(POLICIES[0], 1), second.take(POLICIES[0], 1)))
                .containsExactlyInAnyOrderElementsOf(ofSecond);
        assertThat(ofFirst).doesNotContain(first.take(POLICIES[0], 1));
    }

    @Test
    void aDrafterThatWaitsHasLetGoOfTheLane() {
        LaneMaker maker = makers(2).of("lane", 0);
        HousedDrafter taken = maker.take(POLICIES[0], 1);
        Numbered drafter = (Numbered) taken.drafter();
        assertThat(drafter.ended).isFalse();
        maker.giveBack(taken, POLICIES[0].policy());
        assertThat(drafter.ended).isTrue();
    }

    @Test
    void aDrafterWhoseContextWasLongDoesNotWait() {
        ContextRoom room = new ContextRoom(800, 0);
        LaneMakers makers = makers(2, room);
        LaneMaker maker = makers.of("lane", 0);
        maker.giveBack(maker.take(POLICIES[0], 101), POLICIES[0].policy());
        assertThat(makers.idle()).isZero();
        assertThat(room.tokens()).isZero();
        maker.giveBack(maker.take(POLICIES[0], 100), POLICIES[0].policy());
        assertThat(makers.idle()).isEqualTo(1);
    }

    /** Its arrays stay as large as its longest context. */
    @Test
    void aDrafterThatWaitsKeepsItsRoomUntilARequestFindsNone() {
        ContextRoom room = new ContextRoom(800, 0);
        LaneMakers makers = makers(2, room);
        LaneMaker maker = makers.of("lane", 0);
        maker.giveBack(maker.take(POLICIES[0], 90), POLICIES[0].policy());
        assertThat(room.tokens()).isEqualTo(90);
        HousedDrafter again = maker.take(POLICIES[0], 60);
        assertThat(room.tokens()).isEqualTo(90);
        again.begin(new int[60]);
        again.grow(30);
        assertThat(room.tokens()).isEqualTo(90);
        again.grow(5);
        assertThat(room.tokens()).isEqualTo(95);
        maker.giveBack(again, POLICIES[0].policy());
        HousedDrafter large = makers.of("other", 0).take(POLICIES[0], 800);
        assertThat(makers.idle()).isZero();
        assertThat(room.tokens()).isEqualTo(800);
        assertThat(maker.take(POLICIES[0], 1)).isNull();
        makers.of("other", 0).giveBack(large, POLICIES[0].policy());
        assertThat(room.tokens()).isZero();
        assertThat(maker.take(POLICIES[0], 1)).isNotNull();
    }

    @Test
    void thoseThatWaitForAllEnginesKeepAQuarterOfTheRoom() {
        ContextRoom room = new ContextRoom(800, 0);
        List<LaneMakers> engines = new ArrayList<>();
        for (int tokens : new int[] {150, 60, 50, 1}) {
            LaneMakers makers = makers(1, room);
            LaneMaker maker = makers.of("lane", 0);
            maker.giveBack(maker.take(POLICIES[0], tokens), POLICIES[0].policy());
            engines.add(makers);
        }
        assertThat(engines).extracting(LaneMakers::idle).containsExactly(1, 0, 1, 0);
        assertThat(room.tokens()).isEqualTo(200);
        engines.forEach(LaneMakers::close);
        assertThat(engines).extracting(LaneMakers::idle).containsOnly(0);
        assertThat(room.tokens()).isZero();
    }

    @Test
    void whereThereIsNoRoomToWaitTheLaneAskedForLongestAgoLosesItsOwn() {
        ContextRoom room = new ContextRoom(800, 0);
        LaneMakers makers = makers(2, room);
        LaneMaker first = makers.of("first", 0);
        LaneMaker second = makers.of("second", 0);
        List<HousedDrafter> ofFirst = List.of(first.take(POLICIES[0], 100), first.take(POLICIES[0], 100));
        HousedDrafter ofSecond = second.take(POLICIES[0], 100);
        ofFirst.forEach(drafter -> first.giveBack(drafter, POLICIES[0].policy()));
        second.giveBack(ofSecond, POLICIES[0].policy());
        assertThat(makers.idle()).isEqualTo(2);
        assertThat(room.tokens()).isEqualTo(200);
        assertThat(second.take(POLICIES[0], 100)).isSameAs(ofSecond);
    }

    /** A thousand short requests are no small thing. */
    @Test
    void whatADrafterTakesBesideItsContextCountsAsWell() {
        ContextRoom room = new ContextRoom(1_000, 400);
        LaneMakers makers = makers(1, room);
        LaneMaker maker = makers.of("lane", 0);
        HousedDrafter first = maker.take(POLICIES[0], 10);
        assertThat(room.tokens()).isEqualTo(410);
        first.begin(new int[10]);
        first.grow(5);
        assertThat(room.tokens()).isEqualTo(415);
        HousedDrafter second = maker.take(POLICIES[0], 10);
        assertThat(room.tokens()).isEqualTo(825);
        assertThat(maker.take(POLICIES[0], 10)).isNull();
        maker.giveBack(first, POLICIES[0].policy());
        maker.giveBack(second, POLICIES[0].policy());
        assertThat(makers.idle()).as("a quarter of the room may wait").isZero();
        assertThat(room.tokens()).isZero();
    }

    @Test
    void whatIsGivenBackWhenNobodyAsksAnyMoreDoesNotWait() {
        ContextRoom room = new ContextRoom(800, 0);
        LaneMakers makers = makers(1, room);
        LaneMaker maker = makers.of("lane", 0);
        HousedDrafter running = maker.take(POLICIES[0], 5);
        makers.close();
        maker.giveBack(running, POLICIES[0].policy());
        assertThat(room.tokens()).isZero();
    }

    @Test
    void aLaneThatNobodyAsksForLosesItsMakerAndItsDrafters() {
        LaneMakers makers = makers(8);
        LaneMaker left = makers.of("left", 0);
        LaneMaker stays = makers.of("stays", 0);
        for (int other = 2; other < LaneMakers.LANES_KEPT; other++) {
            makers.of("other-" + other, 0);
        }
        left.giveBack(left.take(POLICIES[0], 1), POLICIES[0].policy());
        HousedDrafter late = left.take(POLICIES[1], 1);
        now += LaneMakers.UNASKED_MILLIS_MAX - 1;
        assertThat(makers.of("stays", 0)).isSameAs(stays);
        now++;
        makers.of("stays", 0);
        assertThat(makers.lanes()).as("so few are kept").isEqualTo(LaneMakers.LANES_KEPT);
        makers.of("one more", 0);
        makers.of("stays", 0);
        assertThat(makers.lanes()).isEqualTo(LaneMakers.LANES_KEPT);
        left.giveBack(late, POLICIES[1].policy());
        assertThat(makers.idle()).isZero();
        assertThat(makers.of("left", 0)).isNotSameAs(left);
    }

    /** What drafters share of answers is not to outlive a delete; weights belong to no token and may. */
    @Test
    void aDeleteEndsAMakerWhoseDraftersShareTokens() {
        boolean[] shares = new boolean[1];
        LaneMakers makers = new LaneMakers(
                2,
                () -> new DrafterMaker() {
                    @Override
                    public Drafter another(DraftPolicy policy, long learnedAtMillis) {
                        return new Numbered(made++);
                    }

                    @Override
                    public void requestBegins(boolean hurry) {}

                    @Override
                    public boolean sharesTokens() {
                        return shares[0];
                    }
                },
                new ContextRoom(800, 0),
                () -> now);
        LaneMaker first = makers.of("lane", 0);
        assertThat(makers.of("lane", 1)).as("it shares no tokens").isSameAs(first);
        shares[0] = true;
        HousedDrafter running = first.take(POLICIES[0], 1);
        first.giveBack(first.take(POLICIES[0], 1), POLICIES[0].policy());
        LaneMaker second = makers.of("lane", 2);
        assertThat(second).isNotSameAs(first);
        assertThat(makers.idle()).isZero();
        first.giveBack(running, POLICIES[0].policy());
        assertThat(makers.idle()).as("what ran meanwhile is not used again").isZero();
        assertThat(makers.of("lane", 2)).isSameAs(second);
    }

    @Test
    void nothingIsKeptOfAPassingMaker() {
        LaneMakers makers = makers(8);
        LaneMaker passing = makers.passing();
        passing.giveBack(passing.take(POLICIES[0], 1), POLICIES[0].policy());
        assertThat(makers.idle()).isZero();
        assertThat(makers.lanes()).isZero();
    }

    /** Requests of lanes that come and go, with policies that change: which drafter serves is what a dull twin says. */
    @Test
    void aDullTwinHandsOutTheSameDrafters() {
        Cases.forEachSeed(200, seed -> {
            Random random = new Random(seed);
            int idleMax = 1 + random.nextInt(4);
            made = 0;
            LaneMakers makers = makers(idleMax);
            Twin twin = new Twin(idleMax);
            List<Running> running = new ArrayList<>();
            for (int step = 0; step < 150; step++) {
                now += random.nextInt(20) == 0 ? LaneMakers.UNASKED_MILLIS_MAX : random.nextInt(1_000);
                if (running.isEmpty() || random.nextInt(8) < (step / 25 % 2 == 0 ? 6 : 2)) {
                    String scope = "s" + random.nextInt(12);
                    LoadedSnapshot snapshot = POLICIES[random.nextInt(12) == 0 ? 1 : 0];
                    int next = made;
                    LaneMaker maker = makers.of(scope, 0);
                    HousedDrafter drafter = maker.take(snapshot, 1);
                    TwinLane lane = twin.of(scope, now);
                    assertThat(number(drafter)).as("step %d", step).isEqualTo(twin.take(lane, snapshot.policy(), next));
                    running.add(new Running(maker, lane, drafter, snapshot.policy()));
                } else {
                    Running ended = running.remove(random.nextInt(running.size()));
                    ended.maker.giveBack(ended.drafter, ended.policy);
                    twin.giveBack(ended.lane, number(ended.drafter), ended.policy);
                }
                assertThat(makers.idle())
                        .as("step %d", step)
                        .isEqualTo(twin.idle())
                        .isLessThanOrEqualTo(idleMax);
                assertThat(makers.lanes()).as("step %d", step).isEqualTo(twin.lanes.size());
            }
        });
    }

    private static int number(HousedDrafter drafter) {
        return ((Numbered) drafter.drafter()).number;
    }

    private record Running(LaneMaker maker, TwinLane lane, HousedDrafter drafter, DraftPolicy policy) {}

    private static final class TwinLane {
        private final Deque<Integer> idle = new ArrayDeque<>();
        private DraftPolicy policy;
        private long asked;
        private long askedAt;
    }

    /** Looks through all lanes for everything. */
    private static final class Twin {
        private final int idleMax;
        private final Map<String, TwinLane> lanes = new HashMap<>();
        private long asked;

        Twin(int idleMax) {
            this.idleMax = idleMax;
        }

        TwinLane of(String scope, long now) {
            lanes.values().stream()
                    .sorted(Comparator.comparingLong(lane -> lane.asked))
                    .limit(Math.max(0, lanes.size() - LaneMakers.LANES_KEPT))
                    .filter(lane -> now >= lane.askedAt + LaneMakers.UNASKED_MILLIS_MAX)
                    .toList()
                    .forEach(lane -> lanes.values().remove(lane));
            TwinLane lane = lanes.computeIfAbsent(scope, each -> new TwinLane());
            lane.asked = ++asked;
            lane.askedAt = now;
            return lane;
        }

        int take(TwinLane lane, DraftPolicy policy, int next) {
            if (!policy.equals(lane.policy)) {
                lane.idle.clear();
                lane.policy = policy;
            }
            return lane.idle.isEmpty() ? next : lane.idle.removeLast();
        }

        void giveBack(TwinLane lane, int drafter, DraftPolicy policy) {
            if (lanes.containsValue(lane) && policy.equals(lane.policy)) {
                lane.idle.addLast(drafter);
            }
            if (idle() > idleMax) {
                lanes.values().stream()
                        .filter(each -> !each.idle.isEmpty())
                        .min(Comparator.comparingLong(each -> each.asked))
                        .orElseThrow()
                        .idle
                        .removeFirst();
            }
        }

        int idle() {
            return lanes.values().stream().mapToInt(lane -> lane.idle.size()).sum();
        }
    }

    private static final class Numbered implements Drafter {
        private boolean ended;
        private final int number;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public void begin(int[] prompt, int length) {
            // Its context is of no use here.
        }

        @Override
        public Draft draft(LaneIndex index, int budget) {
            throw new AssertionError("nobody drafts here");
        }

        @Override
        public void verified(int[] tokens, int length) {
            throw new AssertionError("nobody drafts here");
        }
    }
}
