package io.tailrace.worker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tailrace.client.draft.internal.DamagedSegment;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.worker.http.DraftVisibility;
import io.tailrace.worker.http.EndpointOptions;
import io.tailrace.worker.model.LetterTokenizer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker without Kafka that drafts from a folder of segments, and whose scopes a gateway names. */
class SnapshotServingTest {
    private static final String BODY =
            "{\"model\":\"letters\",\"prompt\":\"once\",\"max_tokens\":120,\"temperature\":0,\"tailrace\":{\"report\":true}}";

    @TempDir
    private Path folder;

    @Test
    void theFirstAnswerIsDraftedFromTheFoldersSegments() throws Exception {
        JsonNode without;
        try (TestWorker worker = start(Optional.empty(), false)) {
            without = answer(worker, "default");
        }
        Path segments = Files.createDirectories(folder.resolve("segments"));
        int[] said = new LetterTokenizer().encode(without.at("/choices/0/text").textValue(), false);
        Compaction.flush(
                List.of(new Compaction.Input(new GenerationEntry(1, 2, "p", 1_000), said)),
                new SegmentIdentity("letters@1/default", LetterTokenizer.VOCABULARY, "letters"),
                segments);
        try (TestWorker worker = start(Optional.of(segments), true)) {
            assertThat(ready(worker).statusCode()).isEqualTo(200);
            JsonNode with = answer(worker, "default");
            assertThat(with.at("/choices/0/text")).isEqualTo(without.at("/choices/0/text"));
            assertThat(with.at("/tailrace/snapshotVersion").asLong()).isEqualTo(1_000);
            assertThat(with.at("/tailrace/steps").asInt())
                    .isLessThan(without.at("/tailrace/steps").asInt());
        }
    }

    @Test
    void aSegmentWhoseTokensChangeOnTheDiskCostsItsDraftsAndNoAnswer() throws Exception {
        JsonNode without;
        try (TestWorker worker = start(Optional.empty(), false)) {
            without = answer(worker, "default");
        }
        Path segments = Files.createDirectories(folder.resolve("segments"));
        int[] said = new LetterTokenizer().encode(without.at("/choices/0/text").textValue(), false);
        Path segment = Compaction.flush(
                        List.of(new Compaction.Input(new GenerationEntry(1, 2, "p", 1_000), said)),
                        new SegmentIdentity("letters@1/default", LetterTokenizer.VOCABULARY, "letters"),
                        segments)
                .files()
                .segment();
        try (TestWorker worker = start(Optional.of(segments), true)) {
            DamagedSegment.rotToken(segment, said[said.length / 2]);
            for (int i = 0; i < 3; i++) {
                assertThat(answer(worker, "default").at("/choices/0/text")).isEqualTo(without.at("/choices/0/text"));
            }
            assertThat(worker.worker.scrape())
                    .contains("tailrace_snapshot_load_failures{lane=\"letters@1/default\",worker=\"test\"} 1.0");
        }
    }

    @Test
    void aWorkerThatNeedsASnapshotIsNotReadyWithoutOneAndSaysWhatItWaitsFor() throws Exception {
        try (TestWorker worker = start(Optional.of(Files.createDirectories(folder.resolve("empty"))), true)) {
            assertThat(ready(worker).statusCode()).isEqualTo(503);
            assertThat(ready(worker).body())
                    .startsWith("not ready: waits for a first snapshot")
                    .contains("--store had no segment", "start it again")
                    .doesNotContain(folder.toString());
        }
        try (TestWorker worker = start(Optional.empty(), false)) {
            assertThat(ready(worker).statusCode()).isEqualTo(200);
            assertThat(ready(worker).body()).isEqualTo("ok");
            assertThat(worker.worker.drain(Duration.ofSeconds(60))).isTrue();
            assertThat(ready(worker).statusCode()).isEqualTo(503);
            assertThat(ready(worker).body()).isEqualTo("not ready: stops");
        }
    }

    @Test
    void theHeaderNamesTheScopeAndWhoSendsNoneHasTheWorkers() throws Exception {
        try (TestWorker worker = start(Optional.empty(), false)) {
            answer(worker, "acme");
            answer(worker, " ");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(worker.worker.scrape())
                            .contains("lane=\"letters@1/acme\"", "lane=\"letters@1/default\""));
        }
    }

    private TestWorker start(Optional<Path> segments, boolean needed) throws IOException {
        EndpointOptions endpoint = new EndpointOptions("127.0.0.1", 0, 10_000, 10, "default", "X-Scope", Map.of())
                .withVisibility(new DraftVisibility(true, 0));
        return TestWorker.start(
                folder,
                TestWorker.repeating(),
                endpoint,
                alone -> new ServingWorkerOptions(
                        alone.name(),
                        alone.workerClass(),
                        alone.model(),
                        alone.engine(),
                        alone.drafts(),
                        alone.follow(),
                        segments,
                        needed,
                        alone.reporting()));
    }

    private static JsonNode answer(TestWorker worker, String scope) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(worker.url() + "/v1/completions"))
                .header("X-Scope", scope)
                .POST(BodyPublishers.ofString(BODY))
                .build();
        return new ObjectMapper()
                .readTree(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .body());
    }

    private static HttpResponse<String> ready(TestWorker worker) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(worker.url() + "/health/ready"))
                                .build(),
                        BodyHandlers.ofString());
    }
}
