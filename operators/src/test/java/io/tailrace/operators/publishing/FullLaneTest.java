package io.tailrace.operators.publishing;

import static io.tailrace.operators.publishing.PublisherBench.assertBalanced;
import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.operators.Samples;
import io.tailrace.operators.admission.AdmittedGeneration;
import io.tailrace.schemas.SegmentReference;
import io.tailrace.schemas.SnapshotManifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lane at its default budget in a process with the heap that Flink gives a TaskManager by {@code deploy/flink/config.yaml}. */
@Tag("full")
class FullLaneTest {
    private static final int MINUTES_MAX = 20;
    private static final String FLINK_FOLDER = "../deploy/flink";

    @TempDir
    private Path folder;

    @Test
    void aLaneOf32MillionTokensIsBuiltMergedTrimmedAndDeletedFromInATaskManagerOfTheShippedSize() throws Exception {
        Configuration shipped = GlobalConfiguration.loadConfiguration(FLINK_FOLDER);
        TaskExecutorProcessSpec spec = TaskExecutorProcessUtils.processSpecFromConfig(shipped);
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + spec.getJvmHeapMemorySize().getBytes(),
                        "-XX:G1HeapRegionSize=8m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "--add-opens=java.base/java.util=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Lane32M.class.getName(),
                        folder.resolve("store").toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    }

    /** The lane's life, in a process of its own. */
    static final class Lane32M {
        private static final int BUDGET = 32_000_000;
        private static final int FED = 36_000_000;
        private static final int ANSWER = 200;
        private static final int ANSWERS_AT_ONCE = 1_300;
        private static final int RECENT = 500;
        private static final int TOKENS_DISTINCT = 1_000;

        private final Random random = new Random(3);
        private final int[][] recent = new int[RECENT][];
        private final PublisherBench bench;
        private long fed;
        private int answers;

        private Lane32M(Path store) throws Exception {
            bench = new PublisherBench(store, PublishingOptions.defaults(), PublisherBench.START);
        }

        /** The store's folder. */
        public static void main(String[] arguments) throws Exception {
            byte[] others = new byte[(int) (Runtime.getRuntime().maxMemory() / 8)]; // lanes and state beside this one
            new Lane32M(Path.of(arguments[0])).live();
            assertThat(others).isNotEmpty();
        }

        private void live() throws Exception {
            Map<String, Long> numbers = new TreeMap<>();
            SnapshotManifest newest = null;
            while (fed < FED) {
                arrive();
                bench.advance(2_000);
                for (SnapshotManifest manifest : bench.manifests()) {
                    newest = manifest;
                }
                numbers.putAll(bench.accounting());
            }
            assertBalanced(numbers);
            assertThat(newest.getSegments()).hasSizeLessThanOrEqualTo(4);
            assertThat(live(newest)).isBetween(BUDGET - BUDGET / 8L, (long) BUDGET);
            assertThat(numbers.get("tokensExpired")).isPositive();
            deleteFromEverySegment(numbers, live(newest));
            bench.close();
        }

        private void deleteFromEverySegment(Map<String, Long> numbers, long liveBefore) throws Exception {
            for (int request = answers - 1; request > 0; request -= ANSWERS_AT_ONCE) {
                bench.control(Samples.deleteRequest("c" + request, "acme", "r" + request, bench.now()));
            }
            SnapshotManifest newest = null;
            for (int i = 0; i < 60; i++) {
                bench.advance(2_000);
                for (SnapshotManifest manifest : bench.manifests()) {
                    newest = manifest;
                }
                numbers.putAll(bench.accounting());
            }
            assertBalanced(numbers);
            assertThat(numbers.get("tokensDeleted")).isGreaterThan((long) ANSWER * 100);
            assertThat(live(newest)).isEqualTo(liveBefore - numbers.get("tokensDeleted"));
        }

        private static long live(SnapshotManifest manifest) {
            return manifest.getSegments().stream()
                    .mapToLong(SegmentReference::getLiveTokens)
                    .sum();
        }

        private void arrive() throws Exception {
            AdmittedGeneration[] some = new AdmittedGeneration[ANSWERS_AT_ONCE];
            for (int i = 0; i < some.length; i++) {
                some[i] = Samples.generation("r" + answers, bench.now(), answer());
                answers++;
            }
            bench.arrive(0, some);
        }

        /** Much of it as in an earlier answer. */
        private int[] answer() {
            int[] tokens = new int[ANSWER];
            int[] earlier = recent[random.nextInt(RECENT)];
            boolean follows = earlier != null && random.nextInt(3) > 0;
            for (int i = 0; i < ANSWER; i++) {
                tokens[i] = follows && random.nextInt(20) > 0 ? earlier[i] : random.nextInt(TOKENS_DISTINCT);
            }
            recent[random.nextInt(RECENT)] = tokens;
            fed += ANSWER;
            return tokens;
        }
    }
}
