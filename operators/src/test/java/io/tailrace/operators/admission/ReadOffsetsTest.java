package io.tailrace.operators.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.flink.api.java.tuple.Tuple5;
import org.junit.jupiter.api.Test;

class ReadOffsetsTest {
    private static final int LIVES = 2_000;

    private long first;
    private int asked;
    private ReadOffsets read = opened();

    private ReadOffsets opened() {
        return new ReadOffsets("generations", (topic, partition) -> {
            asked++;
            return first;
        });
    }

    /** Restores and begins; false: on another topic. */
    private static boolean begun(
            ReadOffsets offsets, List<Tuple5<String, String, Integer, Long, Long>> state, String topic) {
        state.forEach(part -> offsets.restore(part.f1, part.f2, part.f3, part.f4));
        return offsets.begin(topic);
    }

    private void restart() {
        List<Tuple5<String, String, Integer, Long, Long>> checkpoint = read.state();
        read = opened();
        assertThat(begun(read, checkpoint, "a")).isTrue();
    }

    @Test
    void whatFollowsItsForerunnerAsksNothing() throws IOException {
        for (int offset = 7; offset < 100; offset++) {
            assertThat(read.lostBefore(0, offset, 0)).isNull();
            if (offset % 10 == 0) {
                restart();
            }
        }
        assertThat(asked).isZero();
    }

    @Test
    void aGapOfMarkersIsNoLoss() throws IOException {
        read.lostBefore(0, 10, 0);
        restart();
        first = 4;
        assertThat(read.lostBefore(0, 12, 0)).isNull();
        assertThat(asked).isEqualTo(1);
        assertThat(read.lostBefore(0, 14, 0)).as("a commit marker").isNull();
        assertThat(asked).as("is not asked about").isEqualTo(1);
    }

    /** A producer that aborts one transaction after the other must not have the brokers asked for each. */
    @Test
    void longerGapsAreAskedAboutOnceAMinute() throws IOException {
        for (int record = 0; record < 1_000; record++) {
            assertThat(read.lostBefore(0, 3L * record, 500L * record)).isNull();
        }
        assertThat(asked).isBetween(8, 10);
    }

    @Test
    void aJobThatRetentionOvertakesWhileItRunsSaysSo() throws IOException {
        read.lostBefore(0, 10, 0);
        first = 500;
        assertThat(read.lostBefore(0, 501, 1)).isEqualTo(new LostRecords("generations", 0, 11, 489));
    }

    @Test
    void aLossRightAfterAGapThatWasNoneOrAfterAnotherLossIsCountedToo() throws IOException {
        read.lostBefore(0, 10, 0);
        assertThat(read.lostBefore(0, 14, 1)).as("an aborted transaction").isNull();
        first = 500;
        assertThat(read.lostBefore(0, 501, 2)).isEqualTo(new LostRecords("generations", 0, 15, 485));
        first = 504;
        assertThat(read.lostBefore(0, 504, 3)).isEqualTo(new LostRecords("generations", 0, 502, 2));
    }

    @Test
    void aClockThatWasADayAheadHoldsUpNoCount() throws IOException {
        long day = Duration.ofDays(1).toMillis();
        read.lostBefore(0, 10, day);
        assertThat(read.lostBefore(0, 20, day)).as("an aborted transaction").isNull();
        first = 30;
        assertThat(read.lostBefore(0, 31, 0)).isEqualTo(new LostRecords("generations", 0, 21, 9));
    }

    @Test
    void ofAPartitionThatIsNotKnownNoneIsLostAndATopicThatWasMadeAnewIsReadOn() throws IOException {
        first = 100;
        assertThat(read.lostBefore(3, 100, 0)).isNull();
        restart();
        first = 0;
        assertThat(read.lostBefore(3, 0, 0)).isNull();
        assertThat(read.lostBefore(3, 1, 0)).isNull();
        assertThat(asked).isZero();
    }

    /** Of what several tasks wrote down of a partition, which moved between them, the newest counts. */
    @Test
    void afterARescaleTheHighestOffsetCounts() throws IOException {
        read = opened();
        List.of(10L, 30L, 20L).forEach(next -> read.restore("a", 0, next, next / 10));
        read.begin("a");
        first = 40;
        assertThat(read.lostBefore(0, 40, 0)).isEqualTo(new LostRecords("generations", 0, 30, 10));
    }

    /** Tasks read other partitions after each start; what all of them wrote down is given to each. */
    @Test
    void onEachNewTopicWhatAllTasksHaveReadBeforeIsKnownToEach() throws IOException {
        List<Tuple5<String, String, Integer, Long, Long>> state = List.of();
        long before = 0;
        for (String topic : List.of("a", "b", "b", "a", "c")) {
            ReadOffsets one = opened();
            ReadOffsets two = opened();
            assertThat(begun(one, state, topic)).isEqualTo(isOf(topic, state));
            assertThat(begun(two, state, topic)).isEqualTo(isOf(topic, state));
            assertThat(one.recordsBefore()).isEqualTo(two.recordsBefore());
            if (!isOf(topic, state)) {
                before += 30;
            }
            assertThat(one.recordsBefore()).as("on topic %s", topic).isEqualTo(before);
            int records = topic.equals("b") ? 5 : 10;
            for (int record = 0; record < records; record++) {
                one.lostBefore(0, 100 + record, 0);
                two.lostBefore(1, 7 + 2 * record, 0);
                two.lostBefore(2, record, 0);
            }
            state = new ArrayList<>(one.state());
            state.addAll(two.state());
        }
        assertThat(before).isEqualTo(90);
    }

    private static boolean isOf(String topic, List<Tuple5<String, String, Integer, Long, Long>> state) {
        return state.stream().allMatch(entry -> entry.f1.equals(topic));
    }

    /**
     * Against a log of records and markers that is cut at its beginning while the job is away, offset by offset. At each start the job goes back to its
     * checkpoint, and so does what it has counted.
     */
    @Test
    void eachOffsetThatWasCutOffBeforeItWasPassedIsLostOnce() throws IOException {
        int losses = 0;
        for (int seed = 0; seed < LIVES; seed++) {
            Random random = new Random(seed);
            List<Boolean> log = new ArrayList<>(); // by offset: whether it is a record
            Life life = new Life(List.of(), 0, 0, Set.of());
            Life checkpoint = life;
            first = 0;
            read = opened();
            for (int step = 0; step < 30; step++) {
                for (int i = random.nextInt(6); i > 0; i--) {
                    log.add(random.nextInt(4) > 0);
                }
                if (random.nextInt(4) == 0) {
                    life = checkpoint;
                    read = opened();
                    assertThat(begun(read, life.offsets(), "a")).isTrue();
                    first += random.nextInt((int) (log.size() - first) + 1);
                }
                life = readOn(log, life, step);
                if (random.nextBoolean()) {
                    checkpoint = life;
                }
            }
            assertThat(life.counted())
                    .as("seed %d", seed)
                    .isEqualTo(life.cutOff().size());
            losses += life.counted() > 0 ? 1 : 0;
        }
        assertThat(losses).isGreaterThan(LIVES / 10);
    }

    /**
     * What a checkpoint holds.
     *
     * @param counted by the code
     * @param cutOff by the test
     */
    private record Life(
            List<Tuple5<String, String, Integer, Long, Long>> offsets, long next, long counted, Set<Long> cutOff) {}

    private Life readOn(List<Boolean> log, Life life, int step) throws IOException {
        Set<Long> cutOff = new HashSet<>(life.cutOff());
        boolean known = life.offsets().size() > 1;
        long next = life.next();
        long counted = life.counted();
        for (long offset = Math.max(first, next); offset < log.size(); offset++) {
            if (log.get((int) offset)) {
                LostRecords gap = read.lostBefore(0, offset, ReadOffsets.ASK_MILLIS * step);
                counted += gap == null ? 0 : gap.records();
                for (long passed = next; known && passed < Math.min(first, offset); passed++) {
                    cutOff.add(passed);
                }
                known = true;
                next = offset + 1;
            }
        }
        return new Life(read.state(), next, counted, cutOff);
    }
}
