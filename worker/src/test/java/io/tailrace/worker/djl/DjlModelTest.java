package io.tailrace.worker.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.Cases;
import io.tailrace.testkit.llama.ModelDirectory;
import io.tailrace.testkit.llama.ModelDirectory.WeightType;
import io.tailrace.testkit.llama.ReferenceLlama;
import io.tailrace.testkit.llama.TinyLlama;
import io.tailrace.testkit.llama.TinyLlama.Llama3Scaling;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelOptions;
import io.tailrace.worker.model.ModelOptions.ComputeType;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DjlModelTest {
    private static final double RELATIVE_MAX = 1e-4;
    private static final int VOCABULARY = Shape.small().vocabularySize();
    private static final Llama3Scaling SCALING = new Llama3Scaling(8, 1, 4, 32);

    @TempDir
    static Path folder;

    private static TinyLlama tiny;
    private static ReferenceLlama reference;
    private static DjlModel model;

    @BeforeAll
    static void loadOnce() throws IOException {
        tiny = TinyLlama.random(Shape.small(), 7);
        reference = new ReferenceLlama(tiny.shape(), ModelDirectory.EPSILON, tiny.weights());
        model = load(ModelDirectory.write(folder.resolve("once"), tiny, WeightType.F32, 1), 4096);
    }

    @AfterAll
    static void closeOnce() {
        model.close();
    }

    @Test
    void agreesWithTheReferenceWhateverTheShapeAndTheFiles() throws IOException {
        Shape[] shapes = {
            Shape.small(),
            Shape.small().untied(),
            Shape.small().withHeads(4, 4, 8),
            Shape.small().withHeads(6, 1, 10).withLayers(3),
            Shape.small().scaled(SCALING),
        };
        int number = 0;
        for (Shape shape : shapes) {
            for (WeightType type : WeightType.values()) {
                int shards = 1 + number % 3;
                agrees(shape, type, shards, number++);
            }
        }
    }

    private static void agrees(Shape shape, WeightType type, int shards, int number) throws IOException {
        TinyLlama other = TinyLlama.random(shape, number);
        Path directory = ModelDirectory.write(folder.resolve("shape-" + number), other, type, shards);
        int[] tokens = randomTokens(new Random(number), 90);
        double[][] expected = new ReferenceLlama(shape, ModelDirectory.EPSILON, other.weights()).line(tokens);
        try (TargetModel loaded = load(directory, 128);
                ModelSequence sequence = loaded.open()) {
            Logits logits = loaded.forward(List.of(TreeInput.line(sequence, tokens, 0)));
            for (int node = 0; node < tokens.length; node++) {
                Agreement.requireRow(expected[node], logits, 0, node, RELATIVE_MAX);
            }
        }
    }

    @Test
    void halfPrecisionIsNearTheReference() throws IOException {
        int[] tokens = randomTokens(new Random(3), 40);
        double[][] expected = reference.line(tokens);
        ModelOptions options = new ModelOptions(folder.resolve("once"), "cpu", ComputeType.FP16, 0, 128, 1);
        try (TargetModel half = DjlModel.load(options);
                ModelSequence sequence = half.open()) {
            Logits logits = half.forward(List.of(TreeInput.line(sequence, tokens, 0)));
            for (int node = 0; node < tokens.length; node++) {
                Agreement.requireRow(expected[node], logits, 0, node, 2e-2);
            }
        }
    }

    @Test
    void aTreeAgreesWithTheReferenceAlsoAfterCommits() {
        Cases.forEachSeed(40, seed -> {
            Random random = new Random(seed);
            int[] committed = randomTokens(random, 1 + random.nextInt(20));
            try (ModelSequence sequence = model.open()) {
                model.forward(List.of(TreeInput.line(sequence, committed, committed.length)));
                sequence.commitAll();
                for (int step = 0; step < 3; step++) {
                    RandomTree tree = RandomTree.of(random, 12, VOCABULARY);
                    Logits logits = model.forward(List.of(tree.on(sequence)));
                    requireTree(committed, tree, logits, 0);
                    int[] path = tree.path(random.nextInt(tree.tokens().length));
                    int kept = random.nextInt(path.length + 1);
                    sequence.commit(path, kept);
                    committed = concat(committed, Arrays.copyOf(tree.tokensOf(path), kept));
                    assertThat(sequence.length()).isEqualTo(committed.length);
                }
            }
        });
        assertThat(model.cacheTokensFree()).isEqualTo(model.cacheTokensMax());
    }

    private static void requireTree(int[] committed, RandomTree tree, Logits logits, int input) {
        int[] tokens = concat(committed, tree.tokens());
        int[] parents = new int[tokens.length];
        for (int node = 0; node < tokens.length; node++) {
            parents[node] =
                    node < committed.length ? node - 1 : tree.parents()[node - committed.length] + committed.length;
        }
        double[][] expected = reference.tree(tokens, parents);
        for (int node = 0; node < tree.tokens().length; node++) {
            Agreement.requireRow(expected[committed.length + node], logits, input, node, RELATIVE_MAX);
        }
    }

    @Test
    void everyNodeOfATreeSaysWhatItsPathAsALineSays() {
        Cases.forEachSeed(2_000, seed -> {
            Random random = new Random(seed);
            int[] prompt = randomTokens(random, 1 + random.nextInt(30));
            RandomTree tree = RandomTree.of(random, 24, VOCABULARY);
            try (ModelSequence sequence = model.open()) {
                model.forward(List.of(TreeInput.line(sequence, prompt, prompt.length)));
                sequence.commitAll();
                Logits logits = model.forward(List.of(tree.on(sequence)));
                int node = random.nextInt(tree.tokens().length);
                int[] path = tree.path(node);
                double[] said = Agreement.row(logits, 0, node, VOCABULARY);
                logits = model.forward(List.of(TreeInput.line(sequence, tree.tokensOf(path), path.length - 1)));
                Agreement.requireRow(said, logits, 0, path.length - 1, RELATIVE_MAX);
            }
        });
    }

    @Test
    void aBatchSaysWhatEachRequestAloneSays() {
        Cases.forEachSeed(300, seed -> {
            Random random = new Random(seed);
            int size = 2 + random.nextInt(8);
            List<ModelSequence> sequences = new ArrayList<>();
            List<TreeInput> batch = new ArrayList<>();
            for (int input = 0; input < size; input++) {
                ModelSequence sequence = model.open();
                sequences.add(sequence);
                int[] prompt = randomTokens(random, 1 + random.nextInt(60));
                model.forward(List.of(TreeInput.line(sequence, prompt, prompt.length)));
                sequence.commitAll();
                batch.add(
                        random.nextInt(4) == 0
                                ? TreeInput.line(sequence, randomTokens(random, 1 + random.nextInt(80)), 0)
                                : RandomTree.of(random, 16, VOCABULARY).on(sequence));
            }
            Logits together = model.forward(batch);
            List<double[]> rows = new ArrayList<>();
            List<Integer> best = new ArrayList<>();
            for (int input = 0; input < size; input++) {
                int node = batch.get(input).size() - 1;
                rows.add(Agreement.row(together, input, node, VOCABULARY));
                best.add(together.argmax(input, node));
            }
            for (int input = 0; input < size; input++) {
                Logits alone = model.forward(List.of(batch.get(input)));
                int node = batch.get(input).size() - 1;
                Agreement.requireRow(rows.get(input), alone, 0, node, RELATIVE_MAX);
                assertThat(rows.get(input)[best.get(input)])
                        .isEqualTo(Arrays.stream(rows.get(input)).max().orElseThrow());
            }
            sequences.forEach(ModelSequence::close);
        });
        assertThat(model.cacheTokensFree()).isEqualTo(model.cacheTokensMax());
    }

    @Test
    void aPromptInPiecesSaysWhatItSaysAtOnce() {
        Cases.forEachSeed(100, seed -> {
            Random random = new Random(seed);
            int[] prompt = randomTokens(random, 2 + random.nextInt(100));
            try (ModelSequence whole = model.open();
                    ModelSequence pieces = model.open()) {
                Logits logits = model.forward(List.of(TreeInput.line(whole, prompt, prompt.length - 1)));
                double[] expected = Agreement.row(logits, 0, prompt.length - 1, VOCABULARY);
                int done = 0;
                int size = 0;
                while (done < prompt.length) {
                    size = Math.min(1 + random.nextInt(30), prompt.length - done);
                    int[] piece = Arrays.copyOfRange(prompt, done, done + size);
                    done += size;
                    logits = model.forward(
                            List.of(TreeInput.line(pieces, piece, done < prompt.length ? size : size - 1)));
                    if (done < prompt.length) {
                        pieces.commitAll();
                    }
                }
                Agreement.requireRow(expected, logits, 0, size - 1, RELATIVE_MAX);
            }
        });
    }

    @Test
    void theFirstLayersAreAModelOfTheirOwn() {
        int[] tokens = randomTokens(new Random(5), 20);
        int[] line = IntStream.range(-1, tokens.length - 1).toArray();
        double[][] expected = reference.tree(tokens, line, 1);
        try (TargetModel draft = model.firstLayers(1, 64);
                ModelSequence sequence = draft.open()) {
            assertThat(draft.cacheTokensMax()).isEqualTo(64);
            Logits logits = draft.forward(List.of(TreeInput.line(sequence, tokens, 0)));
            for (int node = 0; node < tokens.length; node++) {
                Agreement.requireRow(expected[node], logits, 0, node, RELATIVE_MAX);
            }
            assertThatThrownBy(() -> model.forward(List.of(TreeInput.line(sequence, tokens, 0))))
                    .hasMessageContaining("of another model");
        }
        assertThatThrownBy(() -> model.firstLayers(3, 64)).hasMessage("layers must be 1 to 2, got 3");
        try (ModelSequence sequence = model.open()) {
            model.forward(List.of(TreeInput.line(sequence, tokens, 0)));
        }
    }

    @Test
    void theLikeliestTokensAreThoseOfTheRow() {
        Cases.forEachSeed(50, seed -> {
            Random random = new Random(seed);
            RandomTree tree = RandomTree.of(random, 10, VOCABULARY);
            try (ModelSequence sequence = model.open()) {
                Logits logits = model.forward(List.of(tree.on(sequence)));
                int node = random.nextInt(tree.tokens().length);
                double[] row = Agreement.row(logits, 0, node, VOCABULARY);
                for (int count : new int[] {1, 3, 8, 2}) {
                    int[] tokens = new int[count];
                    float[] values = new float[count];
                    logits.top(0, node, tokens, values);
                    double[] sorted = Arrays.stream(row).sorted().toArray();
                    for (int place = 0; place < count; place++) {
                        assertThat((double) values[place]).isEqualTo(sorted[VOCABULARY - 1 - place]);
                        assertThat(row[tokens[place]]).isEqualTo(values[place]);
                    }
                }
            }
        });
    }

    @Test
    void logitsAreVoidAfterTheNextPass() {
        try (ModelSequence sequence = model.open()) {
            Logits old = model.forward(List.of(TreeInput.line(sequence, new int[] {1, 2}, 1)));
            assertThat(old.argmax(0, 1)).isBetween(0, VOCABULARY - 1);
            assertThatThrownBy(() -> old.argmax(0, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("input 0 has logits of nodes 1 to 1, not of 0");
            model.forward(List.of(TreeInput.line(sequence, new int[] {3}, 1)));
            assertThatThrownBy(() -> old.argmax(0, 1)).hasMessageContaining("another pass");
        }
    }

    @Test
    void whatCannotBeServedIsRefusedAndHarmsNothing() {
        try (ModelSequence sequence = model.open()) {
            assertThatThrownBy(() -> model.forward(List.of(TreeInput.line(sequence, new int[] {VOCABULARY}, 0))))
                    .hasMessage("token ids must be 0 to 319, got 320");
            assertThatThrownBy(() -> model.forward(List.of(TreeInput.line(sequence, new int[513], 0))))
                    .hasMessage("the sequence would grow to 513 tokens, contextTokensMax is 512");
            assertThatThrownBy(() -> model.forward(List.of())).hasMessageContaining("at least one input");
            TreeInput input = TreeInput.line(sequence, new int[] {1}, 0);
            assertThatThrownBy(() -> model.forward(List.of(input, input))).hasMessageContaining("twice in the batch");
        }
        assertThat(model.cacheTokensFree()).isEqualTo(model.cacheTokensMax());
    }

    @Test
    void aFullCacheRefusesThePassAndKeepsWhatItHolds() {
        try (TargetModel small = model.firstLayers(2, 10);
                ModelSequence first = small.open();
                ModelSequence second = small.open()) {
            small.forward(List.of(TreeInput.line(first, new int[] {1, 2, 3, 4, 5, 6}, 6)));
            first.commitAll();
            assertThatThrownBy(() -> small.forward(List.of(TreeInput.line(second, new int[5], 0))))
                    .isInstanceOf(TargetModel.CacheFullException.class)
                    .hasMessage("the pass needs cache for 5 tokens, free are 4 of cacheTokensMax 10");
            assertThat(first.length()).isEqualTo(6);
            first.truncate(0);
            Logits logits = small.forward(List.of(TreeInput.line(second, new int[] {9, 8, 7, 6, 5}, 4)));
            Agreement.requireRow(reference.line(new int[] {9, 8, 7, 6, 5})[4], logits, 0, 4, RELATIVE_MAX);
        }
    }

    @Test
    void nativeMemoryIsFlatOverManyRequests() {
        Random random = new Random(11);
        request(random);
        int before = model.nativeArrays();
        for (int request = 0; request < 500; request++) {
            request(random);
        }
        assertThat(model.nativeArrays()).isEqualTo(before);
        assertThat(model.cacheTokensFree()).isEqualTo(model.cacheTokensMax());
    }

    private static void request(Random random) {
        int[] prompt = randomTokens(random, 1 + random.nextInt(50));
        try (ModelSequence sequence = model.open()) {
            model.forward(List.of(TreeInput.line(sequence, prompt, prompt.length - 1)));
            sequence.commitAll();
            for (int step = 0; step < 4; step++) {
                RandomTree tree = RandomTree.of(random, 16, VOCABULARY);
                Logits logits = model.forward(List.of(tree.on(sequence)));
                logits.argmax(0, 0);
                logits.top(0, 0, new int[4], new float[4]);
                logits.copy(0, 0, new float[VOCABULARY]);
                sequence.commit(tree.path(tree.tokens().length - 1), 1);
            }
        }
    }

    private static DjlModel load(Path directory, int cacheTokensMax) {
        return DjlModel.load(new ModelOptions(directory, "cpu", ComputeType.FP32, 0, cacheTokensMax, 1));
    }

    private static int[] randomTokens(Random random, int count) {
        return random.ints(count, 0, VOCABULARY).toArray();
    }

    private static int[] concat(int[] head, int[] tail) {
        return IntStream.concat(Arrays.stream(head), Arrays.stream(tail)).toArray();
    }
}
