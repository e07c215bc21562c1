package io.tailrace.agent.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutstandingReportsTest {
    @Test
    void aStepIsSafeOnceAllReportsUpToItAreDoneInWhateverOrder() {
        Cases.forEachSeed(200, seed -> {
            Random random = new Random(seed);
            OutstandingReports outstanding = new OutstandingReports();
            List<Long> dull = new ArrayList<>();
            for (long step = 1; step <= 100; step++) {
                for (int ended = random.nextInt(3); ended > 0; ended--) {
                    outstanding.add(step);
                    dull.add(step);
                }
                while (!dull.isEmpty() && random.nextInt(3) > 0) {
                    outstanding.done(dull.remove(random.nextInt(dull.size())));
                }
                long last = step;
                assertThat(outstanding.safeUpTo(last))
                        .isEqualTo(
                                dull.stream().mapToLong(each -> each - 1).min().orElse(last));
            }
        });
    }
}
