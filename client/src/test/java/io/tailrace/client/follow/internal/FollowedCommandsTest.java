package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.FollowerBench.START;
import static io.tailrace.client.follow.internal.Manifests.answer;
import static io.tailrace.client.follow.internal.Manifests.control;
import static io.tailrace.client.follow.internal.Manifests.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.Control;
import io.tailrace.schemas.SnapshotManifest;
import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker makes of topic control: it obeys operators by itself, whatever the job does. */
class FollowedCommandsTest {
    @TempDir
    Path store;

    @TempDir
    Path cache;

    private FollowerBench bench;

    @BeforeEach
    void open() throws IOException {
        bench = new FollowerBench(store, cache);
    }

    @Test
    void pinUnpinAndRollbackAreObeyedDirectly() {
        bench.poll(manifest(10), manifest(20));
        bench.command(control(Command.PIN, 10L, START));
        assertThat(bench.live()).isEqualTo(10);
        bench.poll(manifest(30, START + 1));
        assertThat(bench.live()).isEqualTo(10);
        assertThat(bench.state().held()).isTrue();
        bench.command(control(Command.UNPIN, null, START + 1));
        assertThat(bench.live()).isEqualTo(30);
        assertThat(bench.state().freshnessSamples()).as("held back by the pin").isZero();
        Control rollback = control(Command.ROLLBACK, 20L, START + 2);
        bench.command(rollback);
        assertThat(bench.live()).isEqualTo(20);
        bench.poll(Manifests.answer(rollback, 40));
        assertThat(bench.live()).isEqualTo(40);
    }

    /** Which topic a broker answers for first is chance. */
    @Test
    void aPinHoldsItsVersionAlsoWhereManyCameAfterItAndSnapshotsAreReadFirst() {
        int many = VersionChoice.MANIFESTS_MAX + 10;
        bench.topicsEndAt(many, 1);
        bench.readMore(
                LongStream.rangeClosed(1, many).mapToObj(Manifests::manifest).toArray(SnapshotManifest[]::new));
        bench.command(control(Command.PIN, 1L, START));
        assertThat(bench.follower().caughtUp()).isTrue();
        assertThat(bench.live()).isEqualTo(1);
    }

    @Test
    void commandForAnotherScopeOrModelIsNotObeyed() {
        bench.poll(manifest(10), manifest(20));
        Control elsewhere = control(Command.PIN, 10L, START);
        elsewhere.setScope("other");
        bench.command(elsewhere);
        Control otherModel = control(Command.PIN, 10L, START);
        otherModel.setModel("other");
        bench.command(otherModel);
        assertThat(bench.live()).isEqualTo(20);
    }

    @Test
    void laneThatComesLateObeysEarlierCommands() {
        bench.poll();
        Control pinAll = control(Command.PIN, 10L, START);
        pinAll.setScope(null);
        bench.command(pinAll);
        bench.poll(manifest(10), manifest(20));
        assertThat(bench.live()).isEqualTo(10);
    }

    @Test
    void pinWithoutAVersionIsSkippedAndHarmsNoLaneToCome() {
        bench.poll();
        bench.command(control(Command.PIN, null, START));
        bench.command(control(Command.ROLLBACK, null, START));
        assertThat(bench.follower().skippedRecords()).isEqualTo(2);
        bench.poll(manifest(10));
        assertThat(bench.live()).isEqualTo(10);
    }

    @Test
    void loadThatAPinOvertookDoesNotGoLive() {
        bench.poll(manifest(10));
        bench.holdLoads();
        bench.poll(manifest(20));
        bench.command(control(Command.PIN, 10L, START));
        bench.runWaitingLoads();
        assertThat(bench.live()).isEqualTo(10);
    }

    @Test
    void loadThatARollbackAndItsAnswerOvertookDoesNotGoLive() {
        bench.poll(manifest(10));
        bench.holdLoads();
        bench.poll(manifest(20));
        Control rollback = control(Command.ROLLBACK, 10L, START);
        bench.command(rollback);
        bench.poll(answer(rollback, 30));
        bench.runWaitingLoads();
        assertThat(bench.live()).as("20 is taken back, though still announced").isEqualTo(10);
        bench.poll();
        bench.runWaitingLoads();
        assertThat(bench.live()).isEqualTo(30);
    }

    @Test
    void deletedScopeIsForgottenAtOnce() {
        bench.poll();
        bench.lane().finished("a", RememberedAnswer.of(new int[] {1, 2, 3}), START + 100);
        bench.command(control(Command.DELETE_SCOPE, null, START + 200));
        assertThat(bench.state().freshTokens()).isZero();
    }

    @Test
    void deletedRequestIsForgottenAtOnce() {
        bench.poll();
        bench.lane().finished("a", RememberedAnswer.of(new int[] {1, 2, 3}), START + 100);
        bench.lane().finished("b", RememberedAnswer.of(new int[] {1, 2, 3, 4}), START + 200);
        Control delete = control(Command.DELETE_REQUEST, null, START + 300);
        delete.setRequestId("a");
        bench.command(delete);
        assertThat(bench.state().freshTokens()).isEqualTo(4);
    }

    /** As a device does: what it has would still be drafted from. */
    @Test
    void whoHasACopyOfALaneHearsOfEachDelete() {
        bench.poll();
        bench.lane().finished("a", RememberedAnswer.of(new int[] {1, 2, 3}), START + 100);
        bench.lane().finished("b", RememberedAnswer.of(new int[] {1, 2, 3, 4}), START + 200);
        List<Long> held = new ArrayList<>();
        bench.lane().onChange(() -> held.add(bench.state().freshTokens()));
        Control delete = control(Command.DELETE_REQUEST, null, START + 300);
        delete.setRequestId("a");
        bench.command(delete);
        bench.command(control(Command.DELETE_SCOPE, null, START + 300));
        assertThat(held).containsExactly(4L, 0L);
    }
}
