package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static io.tailrace.operators.publishing.PublisherBench.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.CheckpointRhythm;
import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.learning.LaneLearning;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

final class WaitingRoomTest {
    private static final long SEED = 20_261_129L;
    private static final int LANES = 20;
    private static final long ROOM = 1_000;

    private final WaitingRoom room = new WaitingRoom(ROOM);
    private final List<WaitingRoom.Share> shares =
            IntStream.range(0, LANES).mapToObj(lane -> room.share()).toList();

    @Test
    void whatWaitsInAllLanesIsBoundedWhicheverGetMore() {
        Random random = new Random(SEED);
        long[] waiting = new long[LANES];
        long most = 0;
        for (int i = 0; i < 100_000; i++) {
            int lane = (int) (LANES * Math.pow(random.nextDouble(), 1 + i / 20_000));
            if (shares.get(lane).isOverfull() || random.nextInt(1_000) == 0) {
                waiting[lane] = 0; // a fold
            } else {
                waiting[lane] += 1 + random.nextInt(5);
            }
            shares.get(lane).holds(waiting[lane]);
            most = Math.max(
                    most, IntStream.range(0, LANES).mapToLong(at -> waiting[at]).sum());
        }
        assertThat(most).isBetween(ROOM, 2 * ROOM);
    }

    @Test
    void aLaneWithLittleGoesOnWhileOthersWait() {
        shares.get(0).holds(ROOM);
        shares.get(1).holds(1);
        assertThat(shares.get(0).isOverfull()).isTrue();
        assertThat(shares.get(1).isOverfull()).isFalse();
        List<WaitingRoom.Share> others = new ArrayList<>(shares);
        others.remove(1);
        others.forEach(WaitingRoom.Share::close);
        shares.get(1).holds(ROOM);
        assertThat(shares.get(1).isOverfull()).isFalse();
        shares.get(1).holds(ROOM + 1);
        assertThat(shares.get(1).isOverfull()).isTrue();
    }

    /** Nothing folds what waits there. */
    @Test
    void whatWaitsInALaneOfAModelThatIsNotServedAnyMoreTakesNoRoom() {
        Lane lane = new Lane(Lane.State.begin(LANE), PublishingOptions.defaults(), LaneLearning.Options.defaults());
        for (int i = 0; i < 5; i++) {
            lane.apply(new LaneInput.Progress(new Arrivals().of(0, generation("r" + i, START, 1, 2, 3))), START);
        }
        assertThat(lane.layout().bytesWaiting()).isGreaterThan(ROOM);
        ModelCatalog others = new ModelCatalog(List.of(new ModelCatalog.Model("toy", "2", 1000, "toy-tokenizer")));
        LaneWork retired = work(others);
        assertThat(retired.isOverfull(lane)).isFalse();
        WaitingRoom.Share other = room.share();
        other.holds(ROOM);
        assertThat(other.isOverfull()).isFalse();
        assertThat(work(Samples.MODELS).isOverfull(lane)).isTrue();
        assertThat(other.isOverfull()).isTrue();
    }

    private LaneWork work(ModelCatalog models) {
        return new LaneWork(
                LANE,
                PublishingOptions.defaults(),
                models,
                new CheckpointRhythm(),
                room,
                UnregisteredMetricsGroup.createOperatorMetricGroup());
    }
}
