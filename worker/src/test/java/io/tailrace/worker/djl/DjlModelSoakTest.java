package io.tailrace.worker.djl;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TreeInput;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many requests, eight at a time, with trees, commits and every kind of reading: what they took is given back. */
@Tag("full")
class DjlModelSoakTest {
    private static final int REQUESTS = 10_000;
    private static final int WARM_UP_REQUESTS = 2_000;
    private static final int BATCH = 8;
    private static final long GROWTH_BYTES_MAX = 48L << 20;
    private static final Path STATUS = Path.of("/proc/self/status");

    @TempDir
    Path folder;

    @Test
    void residentSizeIsFlatOverTenThousandRequests() throws IOException {
        Assumptions.assumeTrue(Files.exists(STATUS), "resident size is read from /proc");
        TinyLlama tiny = TinyLlama.random(Shape.small(), 1);
        Path directory = ModelDirectory.write(folder, tiny, WeightType.BF16, 1);
        try (DjlModel model = DjlModel.load(ModelOptions.of(directory))) {
            Random random = new Random(1);
            serve(model, random, WARM_UP_REQUESTS);
            int arrays = model.nativeArrays();
            long before = nativeBytes();
            serve(model, random, REQUESTS);
            long growth = nativeBytes() - before;
            System.out.printf("%,d requests: resident size beside the heap grew by %,d kB%n", REQUESTS, growth >> 10);
            assertThat(growth).isLessThan(GROWTH_BYTES_MAX);
            assertThat(model.nativeArrays()).isEqualTo(arrays);
            assertThat(model.cacheTokensFree()).isEqualTo(model.cacheTokensMax());
        }
    }

    private static void serve(DjlModel model, Random random, int requests) {
        int vocabulary = model.vocabularySize();
        for (int served = 0; served < requests; served += BATCH) {
            List<ModelSequence> sequences = new ArrayList<>();
            List<TreeInput> inputs = new ArrayList<>();
            for (int request = 0; request < BATCH; request++) {
                sequences.add(model.open());
                int[] prompt =
                        random.ints(1 + random.nextInt(60), 0, vocabulary).toArray();
                inputs.add(TreeInput.line(sequences.get(request), prompt, prompt.length - 1));
            }
            model.forward(inputs);
            sequences.forEach(ModelSequence::commitAll);
            for (int step = 0; step < 4; step++) {
                step(model, random, sequences);
            }
            sequences.forEach(ModelSequence::close);
        }
    }

    private static void step(DjlModel model, Random random, List<ModelSequence> sequences) {
        List<RandomTree> trees = new ArrayList<>();
        List<TreeInput> inputs = new ArrayList<>();
        for (ModelSequence sequence : sequences) {
            trees.add(RandomTree.of(random, 16, model.vocabularySize()));
            inputs.add(trees.get(trees.size() - 1).on(sequence));
        }
        Logits logits = model.forward(inputs);
        float[] row = new float[model.vocabularySize()];
        for (int input = 0; input < inputs.size(); input++) {
            logits.argmax(input, 0);
            logits.top(input, 0, new int[4], new float[4]);
            logits.copy(input, 0, row);
            int[] path = trees.get(input).path(random.nextInt(inputs.get(input).size()));
            sequences.get(input).commit(path, path.length);
        }
    }

    /** Resident bytes that are not Java's heap. */
    private static long nativeBytes() throws IOException {
        String resident = Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        long bytes = Long.parseLong(resident.replaceAll("[^0-9]", "")) << 10;
        return bytes - ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted();
    }
}
