package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.timers.KeyedBroadcast;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lane into which nothing comes, and one whose model or clock has gone somewhere else. */
final class LaneRestTest {
    private static final long START = 1_700_000_000_000L;
    private static final long DAY_MILLIS = 86_400_000;

    @TempDir
    Path folder;

    /** Ten thousand lanes that rest are to cost nothing: what a lane has to do in time, it does twice a minute. */
    @Test
    void aLaneAtRestSetsTwoTimersAMinute() throws Exception {
        PublisherBench bench = atRest();
        try {
            Set<Long> timers = new HashSet<>();
            for (int second = 0; second < 60; second++) {
                bench.advance(1_000);
                timers.addAll(bench.timers());
            }
            assertThat(timers).hasSizeBetween(2, 3);
        } finally {
            bench.close();
        }
    }

    /** Its only timer is tens of seconds ahead, and no broadcast can set one itself. */
    @Test
    void aCommandWakesALaneAtRest() throws Exception {
        PublisherBench bench = atRest();
        try {
            assertThat(Collections.min(bench.timers())).isGreaterThan(bench.now() + 5_000);
            bench.control(Samples.deleteRequest("d1", "acme", "a", bench.now()));
            bench.advance(2_000);
            assertThat(bench.documents(PublisherBench.only(bench.manifests()))).isEmpty();
        } finally {
            bench.close();
        }
    }

    /** A lane that was announced, right after its maintenance. */
    private PublisherBench atRest() throws Exception {
        PublisherBench bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
        bench.flush(0, generation("a", START, 1, 2, 3));
        bench.advance(61_000);
        assertThat(bench.manifests()).hasSize(1);
        return bench;
    }

    /** The fleet has gone on to another revision; the job is restarted from its savepoint with that model alone. */
    @Test
    void aLaneOfAModelThatIsNotServedAnyMoreFailsNoJob() throws Exception {
        PublisherBench bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
        bench.arrive(0, generation("a", START, 1, 2, 3));
        bench.advance(2_000);
        assertThat(bench.manifests()).hasSize(1);
        OperatorSubtaskState savepoint = bench.checkpoint();
        bench.close();
        LanePublisher publisher = new LanePublisher(
                PublishingOptions.defaults(),
                LaneLearning.Options.defaults(),
                new ModelCatalog(List.of(new ModelCatalog.Model("toy", "2", 1000, "toy-tokenizer"))),
                FlinkFileStore.factory(folder.toUri()),
                List::of,
                job -> 1,
                folder.resolve("scratch-2").toString());
        KeyedBroadcastOperatorTestHarness<String, LaneMessage, ControlCommand, OutgoingRecord> harness =
                new KeyedBroadcastOperatorTestHarness<>(
                        new KeyedBroadcast<>(publisher, ControlState.descriptor()),
                        LaneMessage::lane,
                        Types.STRING,
                        128,
                        1,
                        0);
        harness.setup();
        harness.initializeState(savepoint);
        harness.open();
        try {
            assertThatCode(() -> harness.setProcessingTime(START + 10_000)).doesNotThrowAnyException();
        } finally {
            harness.close();
        }
    }

    /** The clock was a day ahead when the lane was folded and accounted for last, and was set since, while the job ran on. */
    @Test
    void aLaneGoesOnAtOnceAfterAClockWasSetBack() throws Exception {
        PublisherBench bench = new PublisherBench(folder, PublishingOptions.defaults(), START);
        try {
            bench.arrive(0, generation("a", START, 1, 2, 3));
            bench.advance(2_000);
            bench.advance(DAY_MILLIS);
            bench.arrive(0, generation("b", bench.now(), 4, 5));
            bench.advance(2_000);
            bench.manifests();
            bench.events();
            bench.setBack(DAY_MILLIS);
            bench.arrive(0, generation("c", bench.now(), 6, 7));
            bench.advance(5_000);
            List<SnapshotManifest> manifests = bench.manifests();
            assertThat(manifests).isNotEmpty();
            assertThat(bench.documents(manifests.get(manifests.size() - 1)))
                    .containsExactly("[1, 2, 3]", "[4, 5]", "[6, 7]");
            assertThat(bench.accounting()).containsEntry("tokensLive", 7L);
        } finally {
            bench.close();
        }
    }

    /** The clock was a day ahead when the lane was announced last, and was set since. */
    @Test
    void aClockThatWasSetBackFreezesNoLane() {
        Lane lane = new Lane(Lane.State.begin(LANE), PublishingOptions.defaults(), LaneLearning.Options.defaults());
        lane.cadence().makeDue(AnnouncementCause.CADENCE);
        assertThat(lane.announce(START + 86_400_000, Samples.MODELS.identity(LANE), 1))
                .isPresent();
        lane.cadence().makeDue(AnnouncementCause.CADENCE);
        assertThat(lane.announce(START + 3_600_000, Samples.MODELS.identity(LANE), 1))
                .isPresent();
    }
}
