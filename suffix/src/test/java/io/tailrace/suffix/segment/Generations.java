package io.tailrace.suffix.segment;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.testkit.NaiveIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;

/** Generations and identities for tests. */
final class Generations {
    static final SegmentIdentity LANE = new SegmentIdentity("llama@1/acme", Integer.MAX_VALUE, "tokenizer-1");

    private Generations() {}

    static List<Compaction.Input> of(List<int[]> documents, Random random) {
        List<Compaction.Input> generations = new ArrayList<>();
        int tailMax = List.of(0, 0, 1, 3, RememberedAnswer.TAIL_TOKENS_MAX).get(random.nextInt(5));
        for (int[] tokens : documents) {
            generations.add(new Compaction.Input(entry(random), answer(tokens, tailMax, random)));
        }
        return generations;
    }

    /** Some of the first tokens are a prompt's tail; half of the answers have a signature. */
    static RememberedAnswer answer(int[] tokens, int tailMax, Random random) {
        int tail = random.nextInt(Math.max(1, Math.min(tailMax + 1, tokens.length)));
        PromptSignature signature = PromptSignature.of(random.ints(random.nextBoolean() ? random.nextInt(50) : 0, 0, 99)
                .toArray());
        return new RememberedAnswer(
                Arrays.copyOf(tokens, tail),
                Arrays.copyOfRange(tokens, tail, tokens.length),
                copied(random, tokens.length - tail),
                signature);
    }

    static GenerationEntry entry(Random random) {
        return new GenerationEntry(random.nextLong(), random.nextLong(), "p" + random.nextInt(3), random.nextInt(20));
    }

    static Compaction.Input generation(long completedAtMillis, int... tokens) {
        return new Compaction.Input(new GenerationEntry(1, completedAtMillis, "p", completedAtMillis), tokens);
    }

    static NaiveIndex naive(List<Compaction.Input> generations) {
        NaiveIndex naive = new NaiveIndex();
        generations.forEach(
                each -> naive.add(each.answer().promptTail(), each.answer().tokens()));
        return naive;
    }

    /** Not known of some. */
    private static BitSet copied(Random random, int tokens) {
        BitSet copied = new BitSet();
        for (int i = 0; i < tokens; i++) {
            copied.set(i, random.nextBoolean());
        }
        return random.nextInt(3) == 0 ? null : copied;
    }
}
