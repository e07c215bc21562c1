package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.RandomDocuments;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What indexes count of their tokens, against counting answer by answer. */
class SaidTokensTest {
    private static final int TOKEN_MAX = 500;

    @TempDir
    Path folder;

    @Test
    void freshAnswersCountEachTokenThatSomethingFollowsAndWhetherItWasCopied() {
        Cases.forEachSeed(150, seed -> {
            Random random = new Random(seed);
            FreshIndex fresh = new FreshIndex(1 << 20);
            List<RememberedAnswer> answers = new ArrayList<>();
            for (int[] tokens : documents(seed, random)) {
                RememberedAnswer answer = answer(tokens, random);
                fresh.add(answer, answers.size());
                answers.add(answer);
                assertCounted(fresh, dull(answers));
            }
            int dropped = random.nextInt(answers.size() + 1);
            fresh.dropCompletedUntil(dropped - 1);
            assertCounted(fresh, dull(answers.subList(dropped, answers.size())));
        });
    }

    @Test
    void aSegmentCountsEachAnswerOnceAndCopiesAsInItsNewestGeneration() {
        Cases.forEachSeed(60, seed -> {
            Random random = new Random(seed);
            List<Compaction.Input> inputs = new ArrayList<>();
            Map<RememberedAnswer, Compaction.Input> distinct = new LinkedHashMap<>();
            for (int[] tokens : documents(seed, random)) {
                RememberedAnswer answer = answer(tokens, random);
                if (answer.tokens().length == 0) {
                    continue;
                }
                Compaction.Input input = new Compaction.Input(Generations.entry(random), answer);
                inputs.add(input);
                distinct.merge(
                        answer,
                        input,
                        (one, other) -> Document.ENTRY_ORDER.compare(one.entry(), other.entry()) > 0 ? one : other);
            }
            Compaction.Files files =
                    Compaction.flush(inputs, Generations.LANE, folder).files();
            if (files != null) {
                try (Segment segment = Segment.reopen(files.segment(), Generations.LANE)) {
                    List<RememberedAnswer> newest = distinct.values().stream()
                            .map(Compaction.Input::answer)
                            .toList();
                    assertCounted(segment, dull(newest));
                    assertCounted(segment, dull(newest));
                }
            }
        });
    }

    private static List<int[]> documents(long seed, Random random) {
        return new RandomDocuments(seed, 1 + random.nextInt(30), TOKEN_MAX).documents(1 + random.nextInt(20), 30);
    }

    /** Of some the prompt is known. */
    private static RememberedAnswer answer(int[] tokens, Random random) {
        if (random.nextBoolean()) {
            return Generations.answer(tokens, 3, random);
        }
        int[] prompt = random.ints(random.nextInt(6), 0, TOKEN_MAX).toArray();
        return RememberedAnswer.of(prompt, 3, tokens);
    }

    /** Said, known and copied, and the last two of what follows, by token; and in the last row how many answers. */
    private static int[][] dull(Collection<RememberedAnswer> answers) {
        int[][] counts = new int[TOKEN_MAX + 2][5];
        for (RememberedAnswer answer : answers) {
            int[] tokens = answer.tokens();
            counts[TOKEN_MAX + 1][0] += tokens.length > 0 ? 1 : 0;
            for (int i = 0; i < tokens.length - 1; i++) {
                boolean known = answer.copied() != null;
                counts[tokens[i]][0]++;
                counts[tokens[i]][1] += known ? 1 : 0;
                int copied = known && answer.copied().get(i) ? 1 : 0;
                counts[tokens[i]][2] += copied;
                if (i > 0) {
                    counts[tokens[i - 1]][3] += known ? 1 : 0;
                    counts[tokens[i - 1]][4] += copied;
                }
            }
        }
        return counts;
    }

    private static void assertCounted(OccurrenceIndex index, int[][] expected) {
        TokenCounts counts = new TokenCounts();
        index.count(counts);
        int ids = TOKEN_MAX + 1;
        while (ids > 0 && expected[ids - 1][0] == 0) {
            ids--;
        }
        assertThat(counts.tokens()).as("room for what is said, and no more").isEqualTo(ids);
        assertThat(counts.documents()).isEqualTo(expected[TOKEN_MAX + 1][0]);
        for (int token = 0; token <= TOKEN_MAX; token++) {
            boolean held = token < counts.tokens();
            assertThat(held ? counted(counts, token) : new int[5])
                    .as("token %d", token)
                    .isEqualTo(expected[token]);
        }
    }

    private static int[] counted(TokenCounts counts, int token) {
        return new int[] {
            counts.said(token),
            counts.known(token),
            counts.copied(token),
            counts.knownAfter(token),
            counts.copiedAfter(token)
        };
    }
}
