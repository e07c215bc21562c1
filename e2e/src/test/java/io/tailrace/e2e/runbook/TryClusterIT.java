package io.tailrace.e2e.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.e2e.deploy.PageCommands;
import java.nio.file.Path;
import java.util.HashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page about a cluster on one machine says to type, typed. */
@Tag("full")
class TryClusterIT {
    @TempDir
    private Path folder;

    @Test
    void aClusterIsStartedFilledAuditedAndRescaled() throws Exception {
        try (PageRun run = new PageRun(folder, new HashMap<>())) {
            run.type(PageCommands.of("docs/how-to/try-a-cluster.md"));
            run.type(PageCommands.CTRL_C);
            assertThat(run.transcript()).contains("500 read by the job's accounts");
        }
    }
}
