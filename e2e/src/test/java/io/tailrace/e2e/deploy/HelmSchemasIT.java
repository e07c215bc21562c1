package io.tailrace.e2e.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the chart renders is what Kubernetes, Flink's operator and Prometheus' operator take: deploy/helm/check.sh. */
@Tag("full")
class HelmSchemasIT {
    private static final int TOOL_MISSING = 3;

    @Test
    void everyObjectOfEveryWayToInstallIsValid() throws Exception {
        Process check = new ProcessBuilder(
                        RepositoryFiles.root().resolve("deploy/helm/check.sh").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = check.waitFor();
        System.out.print(said);
        assumeFalse(exit == TOOL_MISSING, said);
        assertThat(exit).as(said).isZero();
    }
}
