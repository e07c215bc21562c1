package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.LanePolicy;
import io.tailrace.operators.publishing.VersionSpacing.Version;
import io.tailrace.operators.store.StoredSegment;
import io.tailrace.suffix.draft.Mixer;
import io.tailrace.suffix.snapshot.SegmentPlanner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What versions that can be gone back to cost, at the default limits: in the store, by a simulation of a lane, and in the job's state. */
final class RetentionCostTest {
    private static final PublishingOptions DEFAULTS = PublishingOptions.defaults();
    private static final long START = 1_700_000_000_000L;
    private static final Duration LIFE = Duration.ofDays(8);
    /** Announced each second in the last hours, before that more seldom: of then little is left anyway. */
    private static final Duration LAST = Duration.ofHours(2);

    private static final long SELDOM_MILLIS = 30_000;

    /** A file of the store; each rewrite is another. */
    private record Stored(int id, long tokens) {}

    /** Laid out as the publisher does, merges done at once; trimmed to nine tenths when it is full. */
    private static final class SimulatedLane {
        private final SegmentPlanner planner = DEFAULTS.planner();
        private final List<Stored> older = new ArrayList<>();
        private Stored newest = new Stored(0, 0);
        private long newestBegunAt;
        private int files;

        private Stored write(long tokens) {
            return new Stored(++files, tokens);
        }

        private long tokens() {
            return newest.tokens() + older.stream().mapToLong(Stored::tokens).sum();
        }

        private void trim(long excess) {
            long left = older.get(0).tokens() - excess;
            older.set(0, write(Math.max(0, left)));
            if (left <= 0) {
                older.remove(0);
            }
            if (left < 0) {
                trim(-left);
            }
        }

        List<Stored> fold(long tokens, long now) {
            if (planner.graduates(newest.tokens(), now - newestBegunAt, older.size(), tokens)) {
                older.add(newest);
                newest = new Stored(0, 0);
                newestBegunAt = now;
            }
            newest = write(newest.tokens() + tokens);
            OptionalInt from = planner.mergeFrom(
                    older.stream().mapToLong(Stored::tokens).toArray(), newest.tokens(), now - newestBegunAt);
            if (from.isPresent()) {
                List<Stored> merged = older.subList(from.getAsInt(), older.size());
                Stored one = write(merged.stream().mapToLong(Stored::tokens).sum());
                merged.clear();
                older.add(one);
            }
            if (tokens() > DEFAULTS.laneTokensMax()) {
                trim(tokens() - DEFAULTS.laneTokensMax() / 10 * 9);
            }
            List<Stored> layout = new ArrayList<>(older);
            layout.add(newest);
            return layout;
        }
    }

    /** Tokens in all files that its retained versions name, in parts of a full lane. */
    private static double retained(long tokensASecond, Duration age) {
        VersionSpacing spacing = new VersionSpacing(DEFAULTS.versionsRetained(), age.toMillis());
        SimulatedLane lane = new SimulatedLane();
        Map<Long, List<Stored>> files = new HashMap<>();
        List<Version> versions = new ArrayList<>();
        long end = START + LIFE.toMillis();
        long step = SELDOM_MILLIS;
        for (long now = START; now <= end; now += step) {
            step = now < end - LAST.toMillis() ? SELDOM_MILLIS : DEFAULTS.announceMillis();
            versions.add(new Version(now, 0, false));
            files.put(now, lane.fold(tokensASecond * step / 1_000, now));
            List<Long> excess = spacing.excess(versions, now);
            versions.removeIf(version -> excess.contains(version.number()));
            files.keySet().removeAll(excess);
        }
        Set<Stored> distinct = new HashSet<>();
        files.values().forEach(distinct::addAll);
        return (double) distinct.stream().mapToLong(Stored::tokens).sum() / DEFAULTS.laneTokensMax();
    }

    @Test
    void filesOfRetainedVersionsStayWithinTheirNumberOfLanes() {
        for (long tokensASecond : new long[] {30, 300, 3_000}) {
            double week = retained(tokensASecond, Duration.ofDays(7));
            double day = retained(tokensASecond, Duration.ofDays(1));
            double hour = retained(tokensASecond, Duration.ofHours(1));
            System.out.printf(
                    "%,d tokens/s: files of retained versions hold %.1f full lanes at an age of a week, %.1f at a day, %.1f at an hour%n",
                    tokensASecond, week, day, hour);
            assertThat(List.of(week, day, hour))
                    .allSatisfy(lanes -> assertThat(lanes).isLessThan(DEFAULTS.versionsRetained()));
            assertThat(hour).isLessThan(week / 2);
        }
    }

    private static int serializedBytes(Lane lane) {
        return Lane.form(DEFAULTS, LaneLearning.Options.defaults()).encode(lane).length;
    }

    private static Lane with(LiveSegment newest, Lane.State state) {
        Layout.State layout = new Layout.State(List.of(), newest, List.of(), List.of(), Map.of(), Map.of(), 0, 0, 0);
        return new Lane(
                new Lane.State(
                        LANE,
                        layout,
                        state.versions(),
                        state.deletes(),
                        state.cadence(),
                        state.learning(),
                        state.commands(),
                        state.outcomes(),
                        state.costs()),
                DEFAULTS,
                LaneLearning.Options.defaults());
    }

    /** The worst there is: no two versions have the policy or the newest segment in common. */
    @Test
    void stateIsBoundedByTheNumberOfVersionsHoweverManyPoliciesComeAndGo() throws Exception {
        Lane lane = new Lane(Lane.State.begin(LANE), DEFAULTS, LaneLearning.Options.defaults());
        float[] weights = Mixer.defaults().weights();
        int full = 0;
        for (int i = 1; i <= 2_000; i++) {
            long now = START + 60_000L * i;
            String path = "segments/%s/%064x.segment".formatted(LANE, i);
            StoredSegment stored =
                    new StoredSegment(path, path + ".sidecar", "%064x".formatted(i), 1_000, 10, 100, 100, now, 0, 0);
            lane = with(new LiveSegment(stored, 0, now, now, now), lane.state());
            lane.adopt(LanePolicy.defaults().learned(i, weights, now, i));
            assertThat(lane.announce(now, Samples.MODELS.identity(LANE), 1)).isPresent();
            assertThat(lane.versions().retained()).hasSizeLessThanOrEqualTo(DEFAULTS.versionsRetained());
            assertThat(lane.versions().state().policyOfVersion())
                    .hasSameSizeAs(lane.versions().retained());
            assertThat(lane.versions().state().policies())
                    .hasSameSizeAs(lane.versions().retained());
            full = i == 100 ? serializedBytes(lane) : full;
        }
        System.out.printf("state of a lane with 64 policies: %,d bytes%n", serializedBytes(lane));
        int versionBytes = Float.BYTES * weights.length + 1_024;
        assertThat(serializedBytes(lane))
                .isBetween(full - 1_000, full + 1_000)
                .isLessThan(DEFAULTS.versionsRetained() * versionBytes);
    }
}
