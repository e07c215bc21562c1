package io.tailrace.lab.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.cli.Tailrace;
import io.tailrace.lab.engine.MetricsPage;
import io.tailrace.terminal.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DoorBenchTest {
    private static final String TOLD =
            "{\"event\":\"batch\",\"batch\":4,\"telling\":[0.001,0.002],\"waiting\":[0.003,0.004],\"steps\":2,\"drafted\":32,\"accepted\":8,\"tokens\":16}";

    private static JsonNode told() throws IOException {
        return new ObjectMapper().readTree(TOLD);
    }

    private static MetricsPage page(double seconds, int steps) {
        return new MetricsPage("""
            tailrace_engine_step_draft_time_seconds_bucket{le="+Inf"} %d
            tailrace_engine_step_draft_time_seconds_sum %s
            tailrace_engine_step_draft_time_seconds_count %d
            """.formatted(steps, seconds, steps));
    }

    @Test
    void theAgentsMeanIsOfTheStepsBetweenTheTwoPages() throws IOException {
        DoorBench.Row row = DoorBench.row(told(), page(90, 1_000), page(90.001, 1_002));
        assertThat(row.agentMean()).isEqualTo(500);
        assertThat(row.tokensPerStep()).isCloseTo(2, within(1e-9));
        assertThat(row.draftedPerRequest()).isCloseTo(4, within(1e-9));
        assertThat(row.door().p50()).isEqualTo(6_000);
    }

    @Test
    void aMetricThatIsMissingOrStandsStillIsNoMeanOfZero() {
        MetricsPage other = new MetricsPage("tailrace_engines 1\n");
        assertThatThrownBy(() -> DoorBench.row(told(), other, page(1, 2)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no tailrace_engine_step_draft_time_seconds_sum");
        assertThatThrownBy(() -> DoorBench.row(told(), page(1, 2), page(1, 2)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tailrace_engine_step_draft_time_seconds_sum grew by 0.0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S"})
    void aStepTakesTime(String step) {
        StringWriter err = new StringWriter();
        CommandLine command = Tailrace.commandLine().setErr(new PrintWriter(err));
        assertThat(command.execute("bench", "door", "--input", "none.jsonl", "--step", step))
                .isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(err.toString()).contains("--step must be above 0, got " + step);
    }
}
