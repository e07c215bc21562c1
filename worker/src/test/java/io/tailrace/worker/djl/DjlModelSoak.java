package io.tailrace.worker.djl;

import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TreeInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/** A process that serves many requests and says how large it is, in kB: after warming up, and after each thousand. */
final class DjlModelSoak {
    static final int REQUESTS = 10_000;
    static final int WARM_UP_REQUESTS = 3_000;
    static final Path STATUS = Path.of("/proc/self/status");

    private static final int LOOK_EVERY = 1_000;
    private static final int BATCH = 8;

    private DjlModelSoak() {}

    /** Takes the folder that a model may be written to. */
    public static void main(String[] arguments) throws IOException {
        TinyLlama tiny = TinyLlama.random(Shape.small(), 1);
        Path directory = ModelDirectory.write(Path.of(arguments[0]).resolve("model"), tiny, WeightType.BF16, 1);
        try (DjlModel model = DjlModel.load(ModelOptions.of(directory))) {
            Random random = new Random(1);
            serve(model, random, WARM_UP_REQUESTS);
            int arrays = model.nativeArrays();
            StringJoiner sizes = new StringJoiner(" ").add(resident());
            for (int served = 0; served < REQUESTS; served += LOOK_EVERY) {
                serve(model, random, LOOK_EVERY);
                sizes.add(resident());
            }
            require(model.nativeArrays() == arrays, "arrays are left");
            require(model.cacheTokensFree() == model.cacheTokensMax(), "cache is left");
            System.out.println(sizes);
        }
    }

    private static void require(boolean well, String words) {
        if (!well) {
            throw new IllegalStateException(words);
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

    private static String resident() throws IOException {
        String resident = Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return resident.replaceAll("[^0-9]", "");
    }
}
