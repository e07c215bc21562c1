package io.tailrace.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.draft.Mixer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WeightTrainingTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final WeightTraining training = new WeightTraining(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @Test
    void trainingTwiceGivesTheSameWeightsAndOthersThanUntrained() {
        List<Workload> workloads = List.of(workload("a", 1), workload("b", 2));
        float[] first = training.train(workloads);
        assertThat(training.train(workloads)).isEqualTo(first);
        assertThat(Mixer.of(first).weights()).isNotEqualTo(Mixer.untrained().weights());
    }

    @Test
    void everyWorkloadIsHeldOutOnce() {
        List<Workload> workloads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            workloads.add(workload("held" + i, i));
        }
        training.evaluate(workloads);
        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(7);
        for (int i = 0; i < 6; i++) {
            String name = "held" + i;
            assertThat(lines).filteredOn(line -> line.startsWith(name)).hasSize(1);
        }
    }

    private static Workload workload(String name, long seed) {
        Random random = new Random(seed);
        List<ReplayCase> cases = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            cases.add(new ReplayCase(
                    random.ints(6, 0, 5).toArray(), random.ints(15, 0, 5).toArray()));
        }
        return new Workload(name, cases);
    }
}
