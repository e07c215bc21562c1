package io.tailrace.testkit.llama;

import io.tailrace.testkit.llama.TinyLlama.Llama3Scaling;
import io.tailrace.testkit.llama.TinyLlama.Shape;
import io.tailrace.testkit.llama.TinyLlama.Tensor;
import java.util.Map;

/**
 * A Llama forward pass as one would write it on paper: double precision, loops, no cache, no batch, every node on its own
 * path of ancestors. An oracle; nothing in it is shared with what it judges.
 */
public final class ReferenceLlama {
    private final Shape shape;
    private final double epsilon;
    private final Map<String, Tensor> weights;

    /**
     * An oracle of one model.
     *
     * @param weights tensors by their Hugging Face names
     */
    public ReferenceLlama(Shape shape, double epsilon, Map<String, Tensor> weights) {
        this.shape = shape;
        this.epsilon = epsilon;
        this.weights = weights;
    }

    /** Logits after each token of a line. */
    public double[][] line(int[] tokens) {
        int[] parents = new int[tokens.length];
        for (int node = 0; node < tokens.length; node++) {
            parents[node] = node - 1;
        }
        return tree(tokens, parents);
    }

    /** Logits after each node of a tree; a root's parent is -1. */
    public double[][] tree(int[] tokens, int[] parents) {
        return tree(tokens, parents, shape.layers());
    }

    /** As {@link #tree(int[], int[])}, of the first layers only. */
    public double[][] tree(int[] tokens, int[] parents, int layers) {
        int nodes = tokens.length;
        double[][] state = new double[nodes][shape.hidden()];
        int[] depth = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            depth[node] = parents[node] < 0 ? 0 : depth[parents[node]] + 1;
            state[node] = row(embedding(), tokens[node]);
        }
        for (int layer = 0; layer < layers; layer++) {
            attend("model.layers." + layer + ".", state, parents, depth);
            feedForward("model.layers." + layer + ".", state);
        }
        double[][] logits = new double[nodes][];
        for (int node = 0; node < nodes; node++) {
            logits[node] = times(head(), normed("model.norm.weight", state[node]));
        }
        return logits;
    }

    private void attend(String layer, double[][] state, int[] parents, int[] depth) {
        int nodes = state.length;
        double[][] keys = new double[nodes][];
        double[][] values = new double[nodes][];
        double[][] added = new double[nodes][];
        for (int node = 0; node < nodes; node++) {
            double[] input = normed(layer + "input_layernorm.weight", state[node]);
            double[] queries = times(layer + "self_attn.q_proj.weight", input);
            keys[node] = times(layer + "self_attn.k_proj.weight", input);
            values[node] = times(layer + "self_attn.v_proj.weight", input);
            rotate(queries, depth[node]);
            rotate(keys[node], depth[node]);
            added[node] = times(layer + "self_attn.o_proj.weight", look(queries, keys, values, parents, node));
        }
        for (int node = 0; node < nodes; node++) {
            add(state[node], added[node]);
        }
    }

    private double[] look(double[] queries, double[][] keys, double[][] values, int[] parents, int node) {
        int size = shape.headSize();
        double[] seen = new double[shape.heads() * size];
        for (int head = 0; head < shape.heads(); head++) {
            int group = head / (shape.heads() / shape.keyValueHeads());
            double total = 0;
            double[] mixed = new double[size];
            double highest = Double.NEGATIVE_INFINITY;
            for (int at = node; at >= 0; at = parents[at]) {
                highest = Math.max(highest, score(queries, head, keys[at], group));
            }
            for (int at = node; at >= 0; at = parents[at]) {
                double weight = Math.exp(score(queries, head, keys[at], group) - highest);
                total += weight;
                for (int dimension = 0; dimension < size; dimension++) {
                    mixed[dimension] += weight * values[at][group * size + dimension];
                }
            }
            for (int dimension = 0; dimension < size; dimension++) {
                seen[head * size + dimension] = mixed[dimension] / total;
            }
        }
        return seen;
    }

    private double score(double[] queries, int head, double[] keys, int group) {
        int size = shape.headSize();
        double sum = 0;
        for (int dimension = 0; dimension < size; dimension++) {
            sum += queries[head * size + dimension] * keys[group * size + dimension];
        }
        return sum / Math.sqrt(size);
    }

    private void feedForward(String layer, double[][] state) {
        for (double[] node : state) {
            double[] input = normed(layer + "post_attention_layernorm.weight", node);
            double[] gate = times(layer + "mlp.gate_proj.weight", input);
            double[] up = times(layer + "mlp.up_proj.weight", input);
            for (int place = 0; place < gate.length; place++) {
                gate[place] = gate[place] / (1 + Math.exp(-gate[place])) * up[place];
            }
            add(node, times(layer + "mlp.down_proj.weight", gate));
        }
    }

    private void rotate(double[] heads, int position) {
        int size = shape.headSize();
        for (int from = 0; from < heads.length; from += size) {
            for (int pair = 0; pair < size / 2; pair++) {
                double angle = position * frequency(pair);
                double x = heads[from + pair];
                double y = heads[from + pair + size / 2];
                heads[from + pair] = x * Math.cos(angle) - y * Math.sin(angle);
                heads[from + pair + size / 2] = y * Math.cos(angle) + x * Math.sin(angle);
            }
        }
    }

    private double frequency(int pair) {
        double frequency = 1 / Math.pow(shape.ropeTheta(), 2.0 * pair / shape.headSize());
        Llama3Scaling scaling = shape.ropeScaling();
        if (scaling == null) {
            return frequency;
        }
        double wavelength = 2 * Math.PI / frequency;
        if (wavelength < scaling.originalContext() / scaling.highFrequencyFactor()) {
            return frequency;
        }
        if (wavelength > scaling.originalContext() / scaling.lowFrequencyFactor()) {
            return frequency / scaling.factor();
        }
        double smooth = (scaling.originalContext() / wavelength - scaling.lowFrequencyFactor())
                / (scaling.highFrequencyFactor() - scaling.lowFrequencyFactor());
        return (1 - smooth) * frequency / scaling.factor() + smooth * frequency;
    }

    private double[] normed(String name, double[] input) {
        double squares = 0;
        for (double value : input) {
            squares += value * value;
        }
        double scale = 1 / Math.sqrt(squares / input.length + epsilon);
        float[] weight = weights.get(name).values();
        double[] output = new double[input.length];
        for (int place = 0; place < input.length; place++) {
            output[place] = input[place] * scale * weight[place];
        }
        return output;
    }

    private String embedding() {
        return weights.containsKey("model.embed_tokens.weight") ? "model.embed_tokens.weight" : "lm_head.weight";
    }

    private String head() {
        return shape.tied() ? embedding() : "lm_head.weight";
    }

    private double[] row(String name, int row) {
        float[] values = weights.get(name).values();
        double[] copy = new double[shape.hidden()];
        for (int place = 0; place < copy.length; place++) {
            copy[place] = values[row * copy.length + place];
        }
        return copy;
    }

    private double[] times(String name, double[] input) {
        Tensor matrix = weights.get(name);
        double[] output = new double[matrix.shape()[0]];
        for (int row = 0; row < output.length; row++) {
            double sum = 0;
            for (int column = 0; column < input.length; column++) {
                sum += input[column] * matrix.values()[row * input.length + column];
            }
            output[row] = sum;
        }
        return output;
    }

    private static void add(double[] into, double[] what) {
        for (int place = 0; place < into.length; place++) {
            into[place] += what[place];
        }
    }
}
