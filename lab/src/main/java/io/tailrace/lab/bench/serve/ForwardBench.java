package io.tailrace.lab.bench.serve;

import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Times forward passes over draft trees of several sizes, for several requests at once. One thread, seeded. */
public final class ForwardBench {
    private static final int[] BATCHES = {1, 4, 8};
    private static final int[] TREES = {1, 8, 16, 32};
    private static final long SEED = 1;

    private final TargetModel model;
    private final Options options;
    private final Random random = new Random(SEED);

    private ForwardBench(TargetModel model, Options options) {
        this.model = model;
        this.options = options;
    }

    /**
     * What to measure.
     *
     * @param pastTokens committed tokens of each request
     * @param passes timed passes a row; half as many go before, untimed
     */
    public record Options(int pastTokens, int passes) {}

    /**
     * Passes of one shape.
     *
     * @param batch requests in a pass
     * @param treeTokens tokens of each request's tree
     * @param medianMillis half of the passes are faster
     * @param p99Millis one in a hundred is slower
     * @param ratio median relative to trees of one token at the same batch
     */
    public record Row(int batch, int treeTokens, double medianMillis, double p99Millis, double ratio) {}

    /** Measures every shape. */
    public static List<Row> run(TargetModel model, Options options) {
        ForwardBench bench = new ForwardBench(model, options);
        List<Row> rows = new ArrayList<>();
        for (int batch : BATCHES) {
            double alone = 0;
            for (int tree : TREES) {
                long[] nanos = bench.time(batch, tree);
                double median = nanos[nanos.length / 2] / 1e6;
                alone = tree == 1 ? median : alone;
                rows.add(new Row(batch, tree, median, nanos[(int) (nanos.length * 0.99)] / 1e6, median / alone));
            }
        }
        return rows;
    }

    private long[] time(int batch, int tree) {
        List<ModelSequence> sequences = new ArrayList<>();
        for (int request = 0; request < batch; request++) {
            sequences.add(filled());
        }
        for (int pass = 0; pass < options.passes() / 2; pass++) {
            pass(sequences, tree);
        }
        long[] nanos = new long[options.passes()];
        for (int pass = 0; pass < nanos.length; pass++) {
            nanos[pass] = pass(sequences, tree);
        }
        sequences.forEach(ModelSequence::close);
        Arrays.sort(nanos);
        return nanos;
    }

    /** One pass with the likeliest token of every node, which is what greedy verification asks for. */
    private long pass(List<ModelSequence> sequences, int tree) {
        List<TreeInput> inputs = new ArrayList<>();
        for (ModelSequence sequence : sequences) {
            inputs.add(TreeInput.tree(sequence, tokens(tree), parents(tree)));
        }
        long began = System.nanoTime();
        Logits logits = model.forward(inputs);
        int check = 0;
        for (int input = 0; input < inputs.size(); input++) {
            for (int node = 0; node < tree; node++) {
                check |= logits.argmax(input, node);
            }
            sequences.get(input).commit(new int[0], 0);
        }
        long nanos = System.nanoTime() - began;
        if (check < 0) {
            throw new IllegalStateException("a token id is negative");
        }
        return nanos;
    }

    private ModelSequence filled() {
        ModelSequence sequence = model.open();
        model.forward(List.of(TreeInput.line(sequence, tokens(options.pastTokens()), options.pastTokens())));
        sequence.commitAll();
        return sequence;
    }

    private int[] tokens(int count) {
        return random.ints(count, 0, model.vocabularySize()).toArray();
    }

    private int[] parents(int count) {
        int[] parents = new int[count];
        parents[0] = -1;
        for (int node = 1; node < count; node++) {
            parents[node] = Math.max(0, node - 1 - random.nextInt(4));
        }
        return parents;
    }
}
