package io.tailrace.lab.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class IngestRunTest {
    @Test
    void theFigureIsThatOfTheCountingPassInTheMiddle() {
        assertThat(result(30, 10, 20).median().cpuSeconds()).isEqualTo(20);
    }

    @Test
    void ofAnEvenNumberItIsTheDearerOne() {
        assertThat(result(40, 10, 20, 30).median().cpuSeconds()).isEqualTo(30);
    }

    @Test
    void aFigureSaysOnWhichSideOfTheGoalItIs() {
        assertThat(BenchIngestCommand.verdict(599_999))
                .isEqualTo("599,999 response tokens a processor second, below the goal of 600,000");
        assertThat(BenchIngestCommand.verdict(600_000))
                .isEqualTo("600,000 response tokens a processor second, not below the goal of 600,000");
    }

    /** Two passes that do not count, however cheap, and those that do. */
    private static IngestRun.Result result(double... cpuSeconds) {
        List<IngestRun.Pass> counting = DoubleStream.of(cpuSeconds)
                .mapToObj(seconds -> pass(IngestRun.MEASURED, seconds))
                .toList();
        List<IngestRun.Pass> passes =
                new ArrayList<>(List.of(pass("fills a lane", 1), pass("replayed and merged", 25)));
        passes.addAll(counting);
        return new IngestRun.Result(passes, 0, List.of());
    }

    private static IngestRun.Pass pass(String name, double cpuSeconds) {
        return new IngestRun.Pass(name, 1, 1_000, cpuSeconds, 0.0, 0.0, cpuSeconds, List.of());
    }
}
