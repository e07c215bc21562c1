package io.tailrace.lab.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsPageTest {
    private static final MetricsPage PAGE = new MetricsPage("""
            # HELP vllm:spec_decode_num_accepted_tokens_total Number of accepted tokens.
            # TYPE vllm:spec_decode_num_accepted_tokens_total counter
            vllm:spec_decode_num_accepted_tokens_total{engine="0",model_name="demo {x} y"} 12.0
            vllm:spec_decode_num_accepted_tokens_total{engine="1",model_name="demo"} 3.0
            vllm:spec_decode_num_accepted_tokens_total_of_another 100.0
            tailrace_heard_p50_seconds{lane="demo@main/demo",worker="engine-2"} NaN
            tailrace_engines 1.5E1
            """);

    @Test
    void aMetricIsSummedOverItsLabels() {
        assertThat(PAGE.sum("vllm:spec_decode_num_accepted_tokens_total")).hasValue(15);
        assertThat(PAGE.sum("tailrace_engines")).hasValue(15);
    }

    @Test
    void whatIsMissingOrNoNumberYetIsEmpty() {
        assertThat(PAGE.sum("tailrace_heard_p50_seconds")).isEmpty();
        assertThat(PAGE.sum("tailrace_engine")).isEmpty();
    }
}
