package io.tailrace.operators.publishing;

import static io.tailrace.operators.Samples.LANE;
import static io.tailrace.operators.publishing.PublisherBench.START;
import static io.tailrace.operators.publishing.PublisherBench.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.schemas.WorkerPresence;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever may write to topic workers may say anything there: it takes no more of a lane than it may. */
final class ClaimedVersionsTest {
    private static Versions announced(int many, int versionsRetained) {
        Versions versions = new Versions(Versions.State.NONE, options(versionsRetained, 1 << 18));
        for (int i = 0; i < many; i++) {
            announce(versions, START + i);
        }
        return versions;
    }

    private static void announce(Versions versions, long number) {
        versions.announce(new RetainedVersion(number, 1, List.of(), null, 0, false), number);
    }

    private static void claim(Versions versions, String worker, long version, long at) {
        versions.onWorker(new LaneMessage.WorkerReport(LANE, worker, version, at));
    }

    @Test
    void namesWithoutEndTakeNoMoreRoomAndDriveNobodyOut() {
        Versions versions = announced(1, 2);
        claim(versions, "worker-1", START, START);
        for (int i = 0; i < 100_000; i++) {
            claim(versions, "invented-" + i, START, START);
        }
        assertThat(versions.state().workers()).hasSize(Versions.WORKERS_MAX).containsKey("worker-1");
        long later = START + WorkerPresence.SILENT_MILLIS_MAX;
        claim(versions, "worker-1", START, later);
        claim(versions, "worker-2", START, later + 1);
        assertThat(versions.state().workers()).containsOnlyKeys("worker-1", "worker-2");
    }

    @Test
    void claimsKeepNoMoreVersionsThanTheyMay() {
        Versions versions = announced(1, 2);
        for (int i = 0; i < 1_000; i++) {
            claim(versions, "invented-" + i, START + i, START + i);
            announce(versions, START + 1 + i);
        }
        assertThat(versions.retained()).hasSize(Versions.SERVED_MAX + 2);
        assertThat(versions.retained().get(0).version()).isEqualTo(START + 1_000 - Versions.SERVED_MAX - 1);
    }
}
