package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tailrace.operators.OutgoingRecord;
import io.tailrace.operators.SameThread;
import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.ModelCatalog;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.ControlState;
import io.tailrace.operators.learning.LaneLearning;
import io.tailrace.operators.learning.RetentionTrial;
import io.tailrace.operators.store.FlinkFileStore;
import io.tailrace.operators.timers.KeyedBroadcast;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.Event;
import io.tailrace.schemas.EventKind;
import io.tailrace.schemas.RecordCodec;
import io.tailrace.schemas.SnapshotManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lane into which nothing comes, and one whose model or clock has gone somewhere else. */
final class LaneRestTest {
    private static final long START = 1_700_000_000_000L;
    private static final long DAY_MILLIS = 86_400_000;
    /** Static, since the function is serialised on its way into the harness. */
    private static final AtomicLong CLOCK = new AtomicLong();

    @TempDir
    Path folder;

    /** Ten thousand lanes that rest are to cost next to nothing: what a lane has to do in time, it does twice a minute. */
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
        bench.arrive(0, generation("a", START, 1, 2, 3));
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
        var harness = withoutItsModel(savepoint, START + 2_000);
        try {
            assertThatCode(() -> harness.setProcessingTime(START + 10_000)).doesNotThrowAnyException();
        } finally {
            harness.close();
        }
    }

    private KeyedBroadcastOperatorTestHarness<String, LaneMessage, ControlCommand, OutgoingRecord> withoutItsModel(
            OperatorSubtaskState savepoint, long now) throws Exception {
        CLOCK.set(now);
        LanePublisher publisher = new LanePublisher(
                PublishingOptions.defaults(),
                LaneLearning.Options.defaults(),
                new ModelCatalog(List.of(new ModelCatalog.Model("toy", "2", 1000, "toy-tokenizer"))),
                FlinkFileStore.factory(folder.toUri()),
                List::of,
                job -> 1,
                folder.resolve("scratch-2").toString(),
                SameThread::new,
                CLOCK::get,
                millis -> {});
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
        return harness;
    }

    /** Age is a promise, whatever models the job is started with. */
    @Test
    void aLaneOfAModelThatIsNotServedAnyMoreGoesAsAWholeOnceAllOfItIsPastItsAge() throws Exception {
        long start = System.currentTimeMillis(); // files have the machine's times
        PublisherBench bench = new PublisherBench(folder, PublishingOptions.defaults(), start);
        bench.arrive(0, generation("a", start, 1, 2, 3));
        bench.advance(2_000);
        long version = PublisherBench.only(bench.manifests()).getVersion();
        bench.arrive(0, generation("waits", bench.now(), 4, 5));
        long deleted = bench.now();
        bench.control(Samples.deleteRequest("d1", "acme", "other", deleted));
        OperatorSubtaskState savepoint = bench.checkpoint();
        bench.close();
        var harness = withoutItsModel(savepoint, start + 3_000);
        try {
            passHourBefore(harness, start + 29 * DAY_MILLIS);
            assertThat(harness.extractOutputValues()).isEmpty();
            assertThat(lastAccount(harness))
                    .containsEntry("tokensLive", 3L)
                    .containsEntry("tokensPending", 2L)
                    .containsEntry("deletedTo", deleted - 1);
            passHourBefore(harness, start + 31 * DAY_MILLIS);
            assertThat(harness.extractOutputValues()).singleElement().satisfies(record -> {
                assertThat(record.keyText()).isEqualTo(LANE + "#" + version);
                assertThat(record.value()).isNull();
            });
            assertThat(lastAccount(harness))
                    .containsEntry("tokensLive", 0L)
                    .containsEntry("tokensPending", 0L)
                    .containsEntry("tokensExpired", 5L)
                    .hasEntrySatisfying("deletedTo", to -> assertThat(to).isGreaterThanOrEqualTo(deleted));
            assertThat(segments()).isEmpty();
        } finally {
            harness.close();
        }
    }

    /** Until an hour before that at once, and then as time passes. */
    private static void passHourBefore(
            KeyedBroadcastOperatorTestHarness<String, LaneMessage, ControlCommand, OutgoingRecord> harness, long until)
            throws Exception {
        for (long now = until - 3_600_000; now <= until; now += 30_000) {
            CLOCK.set(now);
            harness.setProcessingTime(now);
        }
    }

    private static Map<String, Long> lastAccount(
            KeyedBroadcastOperatorTestHarness<String, LaneMessage, ControlCommand, OutgoingRecord> harness)
            throws Exception {
        Map<String, Long> numbers = Map.of();
        var events = harness.getSideOutput(LanePublisher.EVENTS);
        while (events != null && !events.isEmpty()) {
            Event event = RecordCodec.EVENT.decode(events.remove().getValue().value());
            numbers = event.getKind() == EventKind.ACCOUNTING ? event.getNumbers() : numbers;
        }
        return numbers;
    }

    private List<Path> segments() throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".segment")).toList();
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

    /** A change that waits for a judge, who never comes: its file holds what the lane has given up. */
    @Test
    void aChangeThatNobodyJudgesAnyMoreKeepsNoFile() throws Exception {
        Lane lane = new Lane(Lane.State.begin(LANE), PublishingOptions.defaults(), LaneLearning.Options.defaults());
        LiveSegment all = Arrivals.segment(folder, generation("a", START, 1, 2), generation("b", START, 3));
        LiveSegment left = Arrivals.segment(folder, generation("b", START, 3));
        lane.learning()
                .retention()
                .await(new RetentionTrial.Candidate(
                        0, 0, RetentionTrial.Candidate.Reason.HALF_LIFE, all.stored(), left.stored(), 2, 0, START));
        assertThat(lane.referencedPaths()).isNotEmpty();
        assertThat(lane.giveUpChange(START + 1_000)).as("it was no trial yet").isEmpty();
        assertThat(lane.referencedPaths()).isEmpty();
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
