package io.tailrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.KafkaAccess;
import io.tailrace.client.ReportingOptions;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class ReportingArgumentsTest {
    @Test
    void promptsAreReportedUnlessTheyMayNotBe() {
        assertThat(reporting().prompts()).isTrue();
        assertThat(reporting("--no-prompts").prompts()).isFalse();
    }

    private static ReportingOptions reporting(String... given) {
        ReportingArguments arguments = new ReportingArguments();
        new CommandLine(arguments).parseArgs(given);
        return arguments.reporting(KafkaAccess.of("127.0.0.1:1"), "");
    }
}
