package io.tailrace.lab.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.cli.Tailrace;
import io.tailrace.terminal.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchIngestCommandTest {
    /** The first pass that counts goes into a lane that the one before it has filled. */
    @Test
    void noPassCountsWithoutOneBeforeIt() {
        StringWriter err = new StringWriter();
        CommandLine command = Tailrace.commandLine().setErr(new PrintWriter(err));
        assertThat(command.execute("bench", "ingest", "--data", "none", "--warm-ups", "0"))
                .isEqualTo(ExitCodes.BAD_INPUT);
        assertThat(err.toString()).contains("--warm-ups");
    }
}
