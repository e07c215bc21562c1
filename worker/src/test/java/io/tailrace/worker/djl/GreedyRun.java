package io.tailrace.worker.djl;

import io.tailrace.worker.djl.TinyStories.Story;
import io.tailrace.worker.model.Logits;
import io.tailrace.worker.model.ModelSequence;
import io.tailrace.worker.model.TargetModel;
import io.tailrace.worker.model.TreeInput;
import java.util.Arrays;
import java.util.Random;

/** Decodes one story greedily, with or without draft trees, and compares it with the recorded answer token by token. */
final class GreedyRun implements AutoCloseable {
    static final double TIE_MAX = 1e-4;

    private final ModelSequence sequence;
    private final int[] truth;
    private final int[] prompt;
    private RandomTree tree;
    private int said;
    private int steps;
    private boolean tied;
    private String error;

    GreedyRun(TargetModel model, Story story, int tokens) {
        sequence = model.open();
        prompt = story.prompt();
        truth = Arrays.copyOf(story.output(), Math.min(tokens, story.output().length));
    }

    boolean finished() {
        return said == truth.length || tied || error != null;
    }

    /** The next pass: the prompt, then the last token with a draft of so many tokens below it. */
    TreeInput next(Random random, int draft, int vocabulary) {
        if (steps++ == 0) {
            tree = line(prompt);
            return TreeInput.line(sequence, prompt, prompt.length - 1);
        }
        tree = draftTree(random, draft, vocabulary);
        return tree.on(sequence);
    }

    /** Takes what the model says, down the path that it agrees with. */
    void take(Logits logits, int input) {
        int node = tree.tokens().length - 1;
        if (steps > 1) {
            node = 0;
        }
        while (true) {
            int token = logits.argmax(input, node);
            if (token != truth[said]) {
                differ(logits, input, node, token);
                return;
            }
            said++;
            int child = child(node, token);
            if (said == truth.length || child < 0) {
                break;
            }
            node = child;
        }
        int[] path = tree.path(node);
        sequence.commit(path, path.length);
    }

    int said() {
        return said;
    }

    int steps() {
        return steps;
    }

    boolean tied() {
        return tied;
    }

    String error() {
        return error;
    }

    @Override
    public void close() {
        sequence.close();
    }

    private void differ(Logits logits, int input, int node, int token) {
        int[] best = new int[2];
        float[] values = new float[2];
        logits.top(input, node, best, values);
        boolean near = values[0] - values[1] < TIE_MAX && (best[0] == truth[said] || best[1] == truth[said]);
        tied = near;
        if (!near) {
            error = "token %d is %d, recorded %d; best logits %s, %s"
                    .formatted(said, token, truth[said], values[0], values[1]);
        }
    }

    private int child(int node, int token) {
        for (int child = node + 1; child < tree.tokens().length; child++) {
            if (tree.parents()[child] == node && tree.tokens()[child] == token) {
                return child;
            }
        }
        return -1;
    }

    /** The model's last token, below it mostly what was recorded, mixed with wrong branches. */
    private RandomTree draftTree(Random random, int draft, int vocabulary) {
        int[] tokens = new int[1 + draft];
        int[] parents = new int[1 + draft];
        int right = 0;
        int depth = said;
        tokens[0] = truth[said - 1];
        parents[0] = -1;
        for (int node = 1; node <= draft; node++) {
            boolean isTrue = depth < truth.length && random.nextInt(3) > 0;
            parents[node] = isTrue ? right : random.nextInt(node);
            tokens[node] = isTrue ? truth[depth++] : wrong(random, vocabulary, tokens, parents, node);
            right = isTrue ? node : right;
        }
        return new RandomTree(tokens, parents);
    }

    private int wrong(Random random, int vocabulary, int[] tokens, int[] parents, int node) {
        int token = random.nextInt(vocabulary);
        for (int sibling = 0; sibling < node; sibling++) {
            if (parents[sibling] == parents[node] && tokens[sibling] == token) {
                return wrong(random, vocabulary, tokens, parents, node);
            }
        }
        return token;
    }

    private static RandomTree line(int[] tokens) {
        int[] parents = new int[tokens.length];
        for (int node = 0; node < tokens.length; node++) {
            parents[node] = node - 1;
        }
        return new RandomTree(tokens, parents);
    }
}
