package io.tailrace.lab.bench.leak;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.lab.bench.serve.StoryPrompts;
import io.tailrace.worker.djl.DjlModels;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.serve.DraftOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks a worker with a pretrained model, where one lies beside the repository. Times are not judged here: they are the machine's. */
@Tag("full")
class LeakBenchIT {
    private static final Path PLACE = Path.of("shared", "models", "tinystories-656k");

    @TempDir
    private Path folder;

    @Test
    void sizesOfEventsTellInASharedScopeOnlyAndNothingWhereEventsAreSpaced() throws Exception {
        Optional<Path> model = find();
        Assumptions.assumeTrue(model.isPresent(), "NOT RUN: " + PLACE + " is in no folder above this one");
        // whole drafts: what pays by the clock depends on the machine
        LeakBench.Options options = new LeakBench.Options(
                new DraftOptions("adaptive", false), 16, 8, 24, new Extraction.Effort(1, 2, 2, 1), 32, 1, 42);
        LeakBench.Report report = new LeakBench(
                        () -> DjlModels.load(ModelOptions.of(model.get())),
                        StoryPrompts.read(model.get().resolve("greedy.jsonl")),
                        options,
                        folder)
                .run(line -> {});
        assertThat(auc(report, "reports allowed", "shared", Channel.REPORT).value())
                .isGreaterThan(0.9);
        assertThat(auc(report, "default", "shared", Channel.SIZES).value()).isGreaterThan(0.9);
        assertThat(auc(report, "default", "shared", Channel.METRICS).value()).isGreaterThan(0.9);
        for (Channel channel : new Channel[] {Channel.SIZES, Channel.METRICS}) {
            assertThat(auc(report, "default", "other", channel).tells())
                    .as("%s", channel)
                    .isFalse();
        }
        assertThat(auc(report, "spaced 1 ms", "shared", Channel.SIZES).tells()).isFalse();
        assertThat(report.extraction())
                .hasSize(2 + 4 + 4)
                .allSatisfy(row -> assertThat(row.tokensPerHour()).isNotNegative());
        assertThat(report.cost()).hasSize(9);
    }

    private static Discrimination auc(LeakBench.Report report, String setting, String scope, Channel channel) {
        return report.membership().stream()
                .filter(row -> row.setting().equals(setting)
                        && row.scope().equals(scope)
                        && row.channel().equals(channel.title()))
                .findFirst()
                .orElseThrow()
                .auc();
    }

    private static Optional<Path> find() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve(PLACE).resolve("config.json"))) {
                return Optional.of(at.resolve(PLACE));
            }
        }
        return Optional.empty();
    }
}
