package io.tailrace.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.recorded.RecordedRequest;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DemoRunTest {
    private static final int[] ANSWER = new Random(3).ints(64, 0, 10_000).toArray();

    @Test
    void aWorkerAloneDraftsFromItsOwnAnswersInTheirScopeOnly() {
        DemoRun.Alone alone = new DemoRun.Alone();
        long first = stepsOf(alone, "a");
        long repeated = stepsOf(alone, "a");
        long elsewhere = stepsOf(alone, "b");
        assertThat(first).isEqualTo(ANSWER.length);
        assertThat(repeated).isLessThan(first / 4);
        assertThat(elsewhere).isEqualTo(first);
    }

    private static long stepsOf(DemoRun.Alone alone, String scope) {
        long before = alone.steps();
        int[] prompt = {1, 2, 3};
        alone.serve(new RecordedRequest(
                "id",
                scope,
                "w",
                null,
                null,
                prompt,
                prompt.length,
                ANSWER,
                new RecordedRequest.Position(Path.of("f"), 1)));
        return alone.steps() - before;
    }
}
