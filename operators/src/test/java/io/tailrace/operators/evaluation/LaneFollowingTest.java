package io.tailrace.operators.evaluation;

import static io.tailrace.operators.Samples.LANE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.signals.LaneSignal;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.suffix.snapshot.MappedSegments;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;

final class LaneFollowingTest {
    private static final int LIVES = 500;

    private final EvaluationQueue evaluations =
            new EvaluationQueue(ForkJoinPool.commonPool(), 1, new SimpleCounter(), new SimpleCounter());

    private LaneFollowing following() {
        return new LaneFollowing(LANE, Samples.MODELS, new MappedSegments(null), Runnable::run, evaluations);
    }

    /** A version without segments. */
    private static LaneSignal announced(long version, long epoch) {
        return new LaneSignal(
                LaneSignal.Kind.SNAPSHOT,
                LANE,
                version,
                1,
                epoch,
                RecordCodec.SNAPSHOT_MANIFEST.encode(Samples.manifest(version)));
    }

    @Test
    void aLaterEpochIsFollowedToALowerVersionAndAnEarlierOneNotToAHigher() {
        LaneFollowing lane = following();
        lane.want(announced(30, 1));
        assertThat(lane.current().version()).isEqualTo(30);
        lane.want(announced(20, 2));
        assertThat(lane.current().version()).isEqualTo(20);
        lane.want(announced(40, 1));
        assertThat(lane.current().version()).as("of a job that was superseded").isEqualTo(20);
        lane.want(announced(21, 2));
        assertThat(lane.current().version()).isEqualTo(21);
    }

    /** In whatever order they are heard: of the latest epoch the highest. */
    @Test
    void theHighestVersionOfTheLatestEpochIsFollowed() {
        for (int seed = 0; seed < LIVES; seed++) {
            Random random = new Random(seed);
            LaneFollowing lane = following();
            List<LaneSignal> heard = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(12); i++) {
                heard.add(announced(1 + random.nextInt(20), random.nextInt(4)));
                lane.want(heard.get(i));
            }
            long epoch = heard.stream().mapToLong(LaneSignal::epoch).max().orElseThrow();
            long version = heard.stream()
                    .filter(signal -> signal.epoch() == epoch)
                    .mapToLong(LaneSignal::number)
                    .max()
                    .orElseThrow();
            assertThat(lane.current().version()).as("seed %d", seed).isEqualTo(version);
        }
    }
}
