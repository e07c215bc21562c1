package io.tailrace.operators.intake;

import static io.tailrace.operators.Samples.deleteRequest;
import static io.tailrace.operators.Samples.generation;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.operators.control.ControlCommand;
import io.tailrace.operators.control.Tombstones;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

/** Which deletes a shard remembers. */
final class ShardTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final long SINCE = NOW - 1_000_000;
    private static final int MANY = 10_000;

    private final Shard shard =
            new Shard(Samples.LANE + "#0", IntakeOptions.defaults(8), new UnregisteredMetricsGroup());

    private static List<ControlCommand> deletes(long issuedAt) {
        List<ControlCommand> deletes = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            deletes.add(deleteRequest("d" + i, "acme", "r" + i, issuedAt));
        }
        return deletes;
    }

    private boolean covers(AdmittedGeneration generation) {
        return shard.tombstones().covers(generation.requestHigh(), generation.requestLow(), generation.completedAt());
    }

    private long remembered() {
        long count = 0;
        for (int i = 0; i < MANY; i++) {
            count += covers(generation("r" + i, 0, 1)) ? 1 : 0;
        }
        return count;
    }

    @Test
    void deletesThatCoverNothingAnyMoreAreForgotten() {
        shard.addDeletes(deletes(SINCE), SINCE);
        assertThat(remembered()).isEqualTo(MANY);
        shard.addDeletes(List.of(), SINCE + 1);
        assertThat(remembered()).isZero();
        shard.addDeletes(deletes(SINCE), SINCE + 1);
        assertThat(remembered()).isZero();
    }

    @Test
    void aDeleteIsAddedToThoseThatAreThere() {
        shard.addDeletes(deletes(SINCE + 1), SINCE);
        Tombstones before = shard.tombstones();
        shard.addDeletes(List.of(deleteRequest("one more", "acme", "one more", NOW)), SINCE);
        assertThat(covers(generation("one more", 0, 1))).isTrue();
        assertThat(remembered()).isEqualTo(MANY);
        assertThat(shard.tombstones()).isSameAs(before);
        shard.addDeletes(List.of(), SINCE + 2);
        assertThat(remembered()).isZero();
        assertThat(covers(generation("one more", 0, 1))).isTrue();
    }
}
