package io.tailrace.client.follow.internal;

import static io.tailrace.client.follow.internal.Manifests.control;
import static io.tailrace.client.follow.internal.Manifests.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.Command;
import io.tailrace.schemas.RequestHash;
import io.tailrace.schemas.VersionNumbers;
import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker's clock that is wrong for a while, and manifests whose times no clock has: once it is right, all is as if it had always been. */
class WrongClocksTest {
    private static final long DAY = 86_400_000;
    private static final int[] TOKENS = new int[1_000];

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
    void aWorkerWhoseClockIsBehindTakesWhatIsPlausibleByTheBrokers() {
        bench.brokersAreAhead(DAY);
        bench.poll(manifest(bench.now() + DAY), manifest(bench.now() + DAY + VersionNumbers.AHEAD_MILLIS_MAX + 1));
        assertThat(bench.live()).isEqualTo(bench.now() + DAY);
        assertThat(bench.follower().skippedRecords()).isEqualTo(1);
    }

    @Test
    void answersOfAClockThatWasADayAheadAreReachedByADelete() {
        bench.poll(manifest(10));
        bench.advance(DAY);
        finish("a", TOKENS);
        bench.advance(-DAY);
        bench.poll();
        bench.advance(1_000);
        bench.command(control(Command.DELETE_SCOPE, null, bench.now()));
        assertThat(bench.state().freshTokens()).isZero();
    }

    @Test
    void aDeleteByAClockThatIsADayAheadForgetsNothingThatIsStillToCome() {
        bench.poll(manifest(10));
        finish("a", TOKENS);
        bench.advance(1_000);
        bench.command(control(Command.DELETE_SCOPE, null, bench.now() + DAY));
        assertThat(bench.state().freshTokens()).isZero();
        bench.advance(1_000);
        finish("b", TOKENS);
        assertThat(bench.state().freshTokens()).isEqualTo(TOKENS.length);
    }

    /** Room is for ten answers: the oldest two go for one more. */
    @Test
    void answersOfAClockThatWasADayAheadDoNotDisplaceLaterOnes() {
        bench.poll(manifest(10));
        bench.advance(DAY);
        for (int i = 0; i < 10; i++) {
            finish("ahead-" + i, TOKENS);
        }
        bench.advance(-DAY);
        bench.poll();
        bench.advance(1_000);
        finish("later", new int[9]);
        assertThat(bench.state().freshTokens())
                .as("one of nine tokens beside them")
                .isEqualTo(9);
    }

    @Test
    void answersOfAClockThatWasADayAheadAreFolded() {
        bench.advance(DAY);
        bench.poll(manifest(10));
        finish("a", TOKENS);
        bench.advance(-DAY);
        bench.poll();
        bench.advance(FoldLedger.FOLDED_AFTER_MILLIS + 1_000);
        bench.poll(manifest(20, bench.now()));
        assertThat(bench.live()).isEqualTo(20);
        assertThat(bench.state().freshTokens()).isZero();
    }

    @Test
    void aWorkerThatStartedWithAClockThatWasAheadFoldsOnceItIsRight() {
        bench.poll(manifest(10));
        bench.advance(-FollowerBench.START / 2);
        finish("a", TOKENS);
        bench.poll(manifest(20, bench.now()));
        assertThat(bench.live()).isEqualTo(20);
        assertThat(bench.state().freshTokens()).isZero();
    }

    @Test
    void completionTimesThatAreYetToComeFoldNothingElse() {
        finish("a", TOKENS);
        bench.poll(manifest(10, Long.MAX_VALUE));
        assertThat(bench.live()).isEqualTo(10);
        assertThat(bench.state().freshTokens()).isEqualTo(TOKENS.length);
        bench.advance(1_000);
        boolean admitted =
                bench.lane().admitted(RequestHash.of("b"), RememberedAnswer.of(new int[] {1, 2, 3}), bench.now());
        assertThat(admitted).isTrue();
    }

    private void finish(String request, int[] tokens) {
        bench.lane().finished(request, RememberedAnswer.of(tokens), bench.now());
    }
}
