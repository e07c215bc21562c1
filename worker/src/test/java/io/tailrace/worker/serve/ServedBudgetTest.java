package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.worker.engine.EngineOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that follows nobody drafts as much as it is told to. */
class ServedBudgetTest {
    private static final String COMPLETION =
            "{\"model\":\"letters\",\"prompt\":\"once\",\"max_tokens\":200,\"temperature\":0,\"tailrace\":{\"report\":true}}";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"adaptive", "suffix-decoding"})
    void aWorkerWithoutAnAnnouncedPolicyDraftsItsWholeBudget(String strategy) throws Exception {
        try (TestWorker worker = TestWorker.start(
                folder,
                TestWorker.repeating(),
                TestWorker.reporting(),
                options -> options.withEngine(EngineOptions.defaults().withBudgetMax(40))
                        .withDrafts(new DraftOptions(strategy, false)))) {
            worker.post("/v1/completions", COMPLETION);
            // An answer is drafted from soon after it is complete, not at once.
            Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                JsonNode report = new ObjectMapper()
                        .readTree(worker.post("/v1/completions", COMPLETION).body())
                        .get("tailrace");
                assertThat(report.get("drafted").asInt())
                        .as("%s", report)
                        .isGreaterThan(16 * report.get("steps").asInt());
            });
        }
    }
}
