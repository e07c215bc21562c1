package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.FreshGenerations.ANSWER_TOKENS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.follow.FollowOptions;
import io.tailrace.client.follow.ServedModel;
import io.tailrace.schemas.Command;
import io.tailrace.schemas.LaneId;
import io.tailrace.schemas.RequestHash;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.testkit.Cases;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreshRoomTest {
    private static final int LANE_TOKENS = 300;
    private static final FollowOptions OPTIONS =
            FollowOptions.of(URI.create("file:/store"), Path.of("cache")).withFreshTokensMax(LANE_TOKENS);

    /** Answers, requests, deletes and snapshots of a few lanes at random: what is held is what a dull room holds. */
    @Test
    void whatIsHeldIsWhatADullRoomHolds() {
        Cases.forEachSeed(150, seed -> {
            Random random = new Random(seed);
            Rooms rooms = new Rooms(200 + random.nextInt(8_000), 1 + random.nextInt(6));
            for (int step = 0; step < 200; step++) {
                rooms.step(random, step);
                rooms.requireSame("step " + step);
            }
        });
    }

    @Test
    void theLaneUsedLongestAgoGivesUpItsOldestFirst() {
        ServedLanes lanes =
                new ServedLanes(Manifests.MODEL, OPTIONS.withFreshTokensAllMax(20 * (10 + ANSWER_TOKENS)), 0);
        ServedLane once = lanes.ofRequest("once");
        ServedLane often = lanes.ofRequest("often");
        answer(often, 0, 10);
        answer(once, 10, 10);
        lanes.ofRequest("often");
        assertThat(tokens(once) + tokens(often)).isEqualTo(200);
        answer(often, 20, 2);
        assertThat(firsts(once)).containsExactly(12, 13, 14, 15, 16, 17, 18, 19);
        assertThat(firsts(often)).hasSize(12);
        assertThat(once.state(0).freshTokensGivenUp()).isEqualTo(20);
        assertThat(often.state(0).freshTokensGivenUp()).isZero();
    }

    @Test
    void aLaneThatIsOnlyHeardOfGoesBeforeThoseThatAreUsed() {
        ServedLanes lanes =
                new ServedLanes(Manifests.MODEL, OPTIONS.withFreshTokensAllMax(10 * (10 + ANSWER_TOKENS)), 0);
        ServedLane used = lanes.ofRequest("used");
        answer(used, 0, 5);
        ServedLane heard =
                lanes.ofManifest(Manifests.MODEL.lane("heard").toLane()).orElseThrow();
        for (int i = 5; i < 12; i++) {
            heard.admitted(RequestHash.of("r" + i), RememberedAnswer.of(tokens(i, 10)), 1_000 + i);
        }
        assertThat(firsts(used)).containsExactly(0, 1, 2, 3, 4);
        assertThat(firsts(heard)).containsExactly(7, 8, 9, 10, 11);
    }

    @Test
    void lanesOfAllModelsOfAProcessShareTheRoomUntilTheyAreClosed() {
        FollowOptions options = OPTIONS.withFreshTokensAllMax(3 * (10 + ANSWER_TOKENS) + 1);
        ServedLanes lanes = ServedLanes.ofProcess(Manifests.MODEL, options, 0);
        ServedLanes others = ServedLanes.ofProcess(new ServedModel("another", "1", 100, "t"), options, 0);
        ServedLane lane = lanes.ofRequest("s");
        ServedLane other = others.ofRequest("s");
        answer(lane, 0, 3);
        answer(other, 3, 2);
        assertThat(firsts(lane)).containsExactly(2);
        assertThat(firsts(other)).containsExactly(3, 4);
        lanes.close();
        answer(other, 5, 1);
        assertThat(firsts(other)).containsExactly(3, 4, 5);
        others.close();
    }

    @Test
    void whoDraftsFromALaneHearsThatItGaveUpSome() {
        ServedLanes lanes = new ServedLanes(Manifests.MODEL, OPTIONS.withFreshTokensAllMax(10 + ANSWER_TOKENS), 0);
        ServedLane first = lanes.ofRequest("first");
        answer(first, 0, 1);
        int[] changes = {0};
        first.onChange(() -> changes[0]++);
        answer(lanes.ofRequest("second"), 1, 1);
        assertThat(tokens(first)).isZero();
        assertThat(changes[0]).isEqualTo(1);
    }

    @Test
    void theBoundHoldsWhereManyThreadsAdd() throws InterruptedException {
        FreshRoom room = new FreshRoom(2_000);
        List<ServedLane> lanes = lanes(room, 8);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(each -> new Thread(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        int number = each * 2_000 + i;
                        lanes.get(number * 7 % 8)
                                .finished("r" + number, RememberedAnswer.of(tokens(number, 1 + number % 40)), number);
                    }
                }))
                .toList();
        threads.forEach(thread -> thread.setUncaughtExceptionHandler((who, why) -> failures.add(why)));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(room.held()).isBetween(1_000L, 2_000L);
        for (ServedLane lane : lanes) {
            assertThat(lane.freshHeld())
                    .isEqualTo(
                            tokens(lane) + (long) ANSWER_TOKENS * firsts(lane).size());
        }
    }

    private static List<ServedLane> lanes(FreshRoom room, int count) {
        List<ServedLane> lanes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lanes.add(new ServedLane(new LaneId("m", "1", "s" + i), OPTIONS, 0, room));
            room.join(lanes.get(i));
        }
        return lanes;
    }

    /** Answers of ten tokens each, one a millisecond. */
    private static void answer(ServedLane lane, int from, int count) {
        for (int i = from; i < from + count; i++) {
            lane.finished("r" + i, RememberedAnswer.of(tokens(i, 10)), 1_000 + i);
        }
    }

    private static int[] tokens(int first, int length) {
        int[] tokens = new int[length];
        tokens[0] = first;
        return tokens;
    }

    private static long tokens(ServedLane lane) {
        return lane.state(0).freshTokens();
    }

    /** The first tokens of what a lane drafts from. */
    private static List<Integer> firsts(ServedLane lane) {
        return ((FreshIndex) lane.freshIndex())
                .answers().stream().map(answer -> answer.tokens()[0]).toList();
    }

    /** Real lanes and dull ones, told the same. */
    private static final class Rooms {
        private final long tokensMax;
        private final FreshRoom room;
        private final List<ServedLane> lanes;
        private final List<DullLane> dull = new ArrayList<>();
        private final Set<Long> times = new HashSet<>();
        private long uses;
        private long version;

        Rooms(long tokensMax, int count) {
            this.tokensMax = tokensMax;
            this.room = new FreshRoom(tokensMax);
            this.lanes = lanes(room, count);
            lanes.forEach(lane -> dull.add(new DullLane()));
        }

        void step(Random random, int number) {
            int at = random.nextInt(lanes.size());
            switch (random.nextInt(12)) {
                case 0, 1 -> {
                    lanes.get(at).used();
                    dull.get(at).lastUse = ++uses;
                }
                case 2 -> forget(at, number + random.nextInt(10) - 20L);
                case 3 -> load(at);
                case 4, 5, 6, 7 -> {
                    dull.get(at).lastUse = ++uses;
                    long time = time(random, number);
                    int[] answer = tokens(number, 1 + random.nextInt(60));
                    lanes.get(at).finished("r" + number, RememberedAnswer.of(answer), time);
                    add(at, time, answer);
                }
                default -> {
                    long time = time(random, number);
                    int[] answer = tokens(number, 1 + random.nextInt(60));
                    lanes.get(at).admitted(RequestHash.of("r" + number), RememberedAnswer.of(answer), time);
                    lanes.get(at).admitted(RequestHash.of("r" + number), RememberedAnswer.of(answer), time);
                    add(at, time, answer);
                }
            }
        }

        /** A delete of the scope. */
        private void forget(int at, long until) {
            lanes.get(at).command(Manifests.control(Command.DELETE_SCOPE, null, until));
            dull.get(at).deletedUntil = Math.max(dull.get(at).deletedUntil, until);
            dull.get(at).answers.headMap(until, true).clear();
        }

        /** A snapshot that has all that the lane holds. */
        private void load(int at) {
            ServedLane lane = lanes.get(at);
            long[] held = dull.get(at).answers.keySet().stream()
                    .mapToLong(time -> time)
                    .toArray();
            lane.announce(Manifests.manifest(++version, held), 0, 0);
            assertThat(lane.nextLoad(0)).isPresent();
            lane.loaded(new LoadedSnapshot(version, DraftPolicy.defaults(), LaneIndex.EMPTY, () -> {}), 0);
            dull.get(at).answers.clear();
        }

        /** A millisecond of its own, now or a little before or after. */
        private long time(Random random, int number) {
            long time = (long) number + random.nextInt(20);
            while (!times.add(time)) {
                time++;
            }
            return time;
        }

        private void add(int at, long time, int[] answer) {
            DullLane lane = dull.get(at);
            if (time <= lane.deletedUntil) {
                return;
            }
            lane.answers.put(time, answer);
            if (lane.held(0) > LANE_TOKENS) {
                lane.giveUp(lane.held(0) - (LANE_TOKENS - LANE_TOKENS / 8), 0);
            }
            for (long excess = excess(); excess > 0; excess = excess()) {
                DullLane longestAgo = dull.stream()
                        .filter(each -> !each.answers.isEmpty())
                        .min(Comparator.comparingLong(each -> each.lastUse))
                        .orElseThrow();
                longestAgo.giveUp(Math.max(excess, longestAgo.held(ANSWER_TOKENS) / 8), ANSWER_TOKENS);
            }
        }

        private long excess() {
            return dull.stream().mapToLong(lane -> lane.held(ANSWER_TOKENS)).sum() - tokensMax;
        }

        void requireSame(String where) {
            assertThat(room.held()).as(where).isLessThanOrEqualTo(tokensMax);
            for (int i = 0; i < lanes.size(); i++) {
                assertThat(firsts(lanes.get(i)))
                        .as("%s, lane %d", where, i)
                        .containsExactlyInAnyOrderElementsOf(dull.get(i).answers.values().stream()
                                .map(tokens -> tokens[0])
                                .toList());
                assertThat(lanes.get(i).state(0).freshTokensGivenUp())
                        .as("%s, lane %d", where, i)
                        .isEqualTo(dull.get(i).givenUp);
            }
        }
    }

    private static final class DullLane {
        private final TreeMap<Long, int[]> answers = new TreeMap<>();
        private long deletedUntil = -1;
        private long lastUse;
        private long givenUp;

        long held(int besides) {
            return answers.values().stream()
                    .mapToLong(tokens -> tokens.length + besides)
                    .sum();
        }

        void giveUp(long less, int besides) {
            for (long gone = 0; gone < less && !answers.isEmpty(); ) {
                int tokens = answers.pollFirstEntry().getValue().length;
                givenUp += tokens;
                gone += tokens + besides;
            }
        }
    }
}
