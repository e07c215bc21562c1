package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.Samples.generation;
import static io.tailrace.operators.publishing.PublisherBench.START;
import static io.tailrace.operators.publishing.PublisherBench.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.schemas.AnnouncementCause;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The more followers fetch a lane's newest segment, the less often it is announced, but for what they cannot know without. */
final class FetchPacingTest {
    private static final int FOLLOWERS = 1_000;
    private static final int NEWEST_TOKENS = 50_000;
    private static final int NEWEST_TOKENS_MAX = 60_000;

    @TempDir
    private Path folder;

    private PublisherBench bench;

    @BeforeEach
    void announceAMegabyte() throws Exception {
        bench = new PublisherBench(folder, options(64, NEWEST_TOKENS_MAX), START);
        bench.arrive(0, generation("first", START, tokens(NEWEST_TOKENS)));
        bench.advance(1_000);
        assertThat(bench.manifests()).hasSize(1);
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    private static int[] tokens(int count) {
        return new Random(count).ints(count, 0, 90).toArray();
    }

    private void follow() throws Exception {
        for (int i = 0; i < FOLLOWERS; i++) {
            bench.input(LaneMessage.of(new LaneMessage.WorkerReport(LANE, "worker-" + i, START, bench.now())));
        }
    }

    /** Announcements of some seconds, an answer in each. */
    private int announcements(int seconds) throws Exception {
        bench.manifests();
        for (int i = 0; i < seconds; i++) {
            bench.arrive(0, generation("r" + bench.now(), bench.now(), i, 1, 2));
            bench.advance(1_000);
        }
        return bench.manifests().size();
    }

    @Test
    void intervalsGrowWithFollowersAndBytesUpToABound() {
        assertThat(FetchPacing.millis(1_000, 0, 2_000_000)).isEqualTo(1_000);
        assertThat(FetchPacing.millis(1_000, 50, 2_000_000)).isEqualTo(1_000);
        assertThat(FetchPacing.millis(1_000, 100, 2_000_000)).isEqualTo(2_000);
        assertThat(FetchPacing.millis(1_000, 100, 4_000_000)).isEqualTo(4_000);
        assertThat(FetchPacing.millis(1_000, 1_000_000, 1L << 40)).isEqualTo(5_000);
        assertThat(FetchPacing.millis(20_000, 1_000, 2_000_000))
                .as("what is set stays")
                .isEqualTo(20_000);
    }

    @Test
    void withoutFollowersALaneIsAnnouncedEachSecondAndWithAThousandLessOften() throws Exception {
        assertThat(announcements(12)).isGreaterThanOrEqualTo(11);
        follow();
        assertThat(announcements(12)).isBetween(2, 3);
    }

    @Test
    void aDeleteDoesNotWaitForFollowers() throws Exception {
        follow();
        bench.advance(1_000);
        bench.control(Samples.deleteRequest("d1", "acme", "first", bench.now()));
        bench.advance(1_200);
        assertThat(bench.manifests()).extracting(SnapshotManifest::getCause).contains(AnnouncementCause.DELETE);
    }

    @Test
    void moreAnswersThanFollowersHaveRoomForDoNotWait() throws Exception {
        follow();
        bench.advance(1_000);
        bench.arrive(0, generation("much", bench.now(), tokens(NEWEST_TOKENS_MAX + 1)));
        bench.advance(1_200);
        assertThat(bench.manifests()).hasSize(1);
    }
}
