package io.tailrace.worker.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A model whose logits are a hash of the last tokens: deterministic, instant, and strict about its port's rules. With few
 * tokens remembered its text repeats itself, so that drafts are accepted; it is the oracle that is always there.
 */
public class HashModel implements TargetModel {
    private final long seed;
    private final int vocabularySize;
    private final int remembered;
    private final float sharpness;
    private final int contextTokensMax;
    private final int cacheTokensMax;
    private final List<Sequence> open = new ArrayList<>();
    private final List<Integer> batches = Collections.synchronizedList(new ArrayList<>());
    private Pass pass;
    private boolean closed;
    private boolean inputsInMemory;
    private RuntimeException broken;

    /**
     * A model.
     *
     * @param remembered how many last tokens decide what comes next
     * @param sharpness how far the likeliest token is ahead
     */
    public HashModel(
            long seed, int vocabularySize, int remembered, float sharpness, int contextTokensMax, int cacheTokensMax) {
        this.seed = seed;
        this.vocabularySize = vocabularySize;
        this.remembered = remembered;
        this.sharpness = sharpness;
        this.contextTokensMax = contextTokensMax;
        this.cacheTokensMax = cacheTokensMax;
    }

    public static HashModel of(long seed) {
        return new HashModel(seed, 24, 2, 3, 512, 8_192);
    }

    /** The logits after a context. */
    public float[] logits(int[] context, int length) {
        long state = mix(seed);
        for (int i = Math.max(0, length - remembered); i < length; i++) {
            state = mix(state + context[i] + 1);
        }
        float[] logits = new float[vocabularySize];
        for (int token = 0; token < vocabularySize; token++) {
            logits[token] = (mix(state ^ (token + 1L) * 0x9E3779B97F4A7C15L) >>> 40) / (float) (1 << 24);
            logits[token] *= logits[token] * logits[token] * sharpness * 2;
        }
        return logits;
    }

    /** Every later pass throws this. */
    public void breakWith(RuntimeException cause) {
        broken = cause;
    }

    /** Sequences that are not closed. */
    public int openSequences() {
        return open.size();
    }

    /** Inputs of each pass so far. */
    public List<Integer> batches() {
        return batches;
    }

    @Override
    public int layers() {
        return 1;
    }

    @Override
    public int vocabularySize() {
        return vocabularySize;
    }

    @Override
    public int contextTokensMax() {
        return contextTokensMax;
    }

    @Override
    public int cacheTokensMax() {
        return cacheTokensMax;
    }

    @Override
    public int cacheTokensFree() {
        return cacheTokensMax
                - open.stream().mapToInt(s -> s.length + s.appended()).sum();
    }

    @Override
    public ModelSequence open() {
        check(!closed, "the model is closed");
        Sequence sequence = new Sequence();
        open.add(sequence);
        return sequence;
    }

    /** Lets a device complete the inputs of its passes. */
    public HashModel withInputsInMemory() {
        inputsInMemory = true;
        return this;
    }

    @Override
    public Optional<String> inputMemory() {
        return inputsInMemory ? Optional.of("cpu") : Optional.empty();
    }

    @Override
    public Logits forward(List<TreeInput> batch, Consumer<PlannedPass> completes) {
        check(inputsInMemory, "only a pass in memory can be completed");
        InputsInMemory inputs = new InputsInMemory(batch, vocabularySize);
        completes.accept(inputs.planned());
        return forward(inputs.read());
    }

    @Override
    public Logits forward(List<TreeInput> batch) {
        check(!closed && !batch.isEmpty(), "an open model and at least one input are needed");
        if (broken != null) {
            throw broken;
        }
        Set<ModelSequence> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (TreeInput input : batch) {
            check(seen.add(input.sequence()), "each sequence at most once");
            check(open.contains(input.sequence()), "an open sequence of this model is needed");
            Sequence sequence = (Sequence) input.sequence();
            if (sequence.length + input.size() > contextTokensMax) {
                throw new IllegalArgumentException("over the context");
            }
            check(
                    Arrays.stream(input.tokens()).allMatch(t -> t >= 0 && t < vocabularySize),
                    "tokens of the vocabulary");
            sequence.input = null;
        }
        int wanted = batch.stream().mapToInt(TreeInput::size).sum();
        if (wanted > cacheTokensFree()) {
            throw new TargetModel.CacheFullException(wanted, cacheTokensFree(), cacheTokensMax);
        }
        batch.forEach(input -> ((Sequence) input.sequence()).input = input);
        batches.add(batch.size());
        pass = new Pass(batch);
        return pass;
    }

    @Override
    public TargetModel firstLayers(int layers, int cacheTokens) {
        return new HashModel(seed, vocabularySize, layers, sharpness, contextTokensMax, cacheTokens);
    }

    @Override
    public TargetModel draftModel(Path directory, int cacheTokens) {
        return new HashModel(seed, vocabularySize, remembered, sharpness, contextTokensMax, cacheTokens);
    }

    @Override
    public void close() {
        closed = true;
    }

    private static void check(boolean condition, String rule) {
        if (!condition) {
            throw new IllegalStateException("rule of the port broken: " + rule);
        }
    }

    private static long mix(long value) {
        long z = value * 0x9E3779B97F4A7C15L + 0x632BE59BD9B4E019L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private final class Sequence implements ModelSequence {
        private final int[] tokens = new int[contextTokensMax];
        private int length;
        private TreeInput input;

        int appended() {
            return input == null ? 0 : input.size();
        }

        @Override
        public int length() {
            return length;
        }

        /** Goes by the tree that the pass had, whatever it was revised to. */
        @Override
        public void commit(int[] path, int count) {
            check(input != null, "there is a pass to commit");
            int parent = -1;
            for (int i = 0; i < count; i++) {
                if (input.parents()[path[i]] != parent) {
                    throw new IllegalArgumentException("no path");
                }
                parent = path[i];
                tokens[length++] = input.tokens()[path[i]];
            }
            input = null;
        }

        @Override
        public void revise(int[] parents) {
            check(input != null && parents.length == input.size(), "as many parents as nodes");
        }

        @Override
        public void commitAll() {
            check(input != null, "there is a pass to commit");
            int[] path = new int[input.size()];
            Arrays.setAll(path, i -> i);
            commit(path, path.length);
        }

        @Override
        public void truncate(int newLength) {
            check(newLength <= length, "truncate never grows");
            length = newLength;
            input = null;
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }

    private final class Pass implements Logits {
        private final List<TreeInput> batch;
        private final List<int[]> committed = new ArrayList<>();

        Pass(List<TreeInput> batch) {
            this.batch = List.copyOf(batch);
            batch.forEach(input -> {
                Sequence sequence = (Sequence) input.sequence();
                committed.add(Arrays.copyOf(sequence.tokens, sequence.length));
            });
        }

        private float[] row(int input, int node) {
            check(pass == this && !closed, "logits are read before the next pass");
            TreeInput tree = batch.get(input);
            if (node < tree.rowsFrom() || node >= tree.size()) {
                throw new IndexOutOfBoundsException("node " + node + " has no logits");
            }
            int[] before = committed.get(input);
            int depth = 0;
            for (int at = node; at >= 0; at = tree.parents()[at]) {
                depth++;
            }
            int[] context = Arrays.copyOf(before, before.length + depth);
            for (int at = node, i = context.length - 1; at >= 0; at = tree.parents()[at], i--) {
                context[i] = tree.tokens()[at];
            }
            return logits(context, context.length);
        }

        @Override
        public int argmax(int input, int node) {
            float[] row = row(input, node);
            int best = 0;
            for (int token = 1; token < row.length; token++) {
                best = row[token] > row[best] ? token : best;
            }
            return best;
        }

        @Override
        public void copy(int input, int node, float[] into) {
            System.arraycopy(row(input, node), 0, into, 0, vocabularySize);
        }

        @Override
        public void top(int input, int node, int[] tokens, float[] logits) {
            float[] row = row(input, node);
            Integer[] order = new Integer[row.length];
            Arrays.setAll(order, token -> token);
            Arrays.sort(order, (one, other) -> Float.compare(row[other], row[one]));
            for (int i = 0; i < tokens.length; i++) {
                tokens[i] = order[i];
                logits[i] = row[order[i]];
            }
        }
    }
}
