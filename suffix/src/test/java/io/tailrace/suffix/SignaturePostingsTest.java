package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SignaturePostingsTest {
    @Test
    void eachHashHasTheAnswersThatHaveIt() {
        Cases.forEachSeed(300, seed -> {
            Random random = new Random(seed);
            check(signatures(random, random.nextInt(60), 1 + random.nextInt(4000)));
        });
    }

    @Test
    void manyAnswersAreLookedUpAlike() {
        check(signatures(new Random(7), 5_000, 60_000));
        check(signatures(new Random(8), 3_000, 40));
    }

    /** Two hashes of one bucket: the smaller one of each answer goes before all answers' larger ones so far. */
    @Test
    void answersWhoseHashesShareABucketKeepTheirOrder() {
        int answers = 16_383;
        char low = 6;
        char high = 7;
        SignaturePostings postings = SignaturePostings.of(
                answers, (document, number) -> number == 0 ? low : number == 1 ? high : PromptSignature.NO_HASH);
        for (int i = 0; i < answers; i++) {
            assertThat(postings.document(postings.from(low) + i)).isEqualTo(i);
            assertThat(postings.document(postings.from(high) + i)).isEqualTo(i);
        }
    }

    @Test
    void manyAnswersTake256BytesEachAndFewNoMoreThan900() {
        for (long answers = 1; answers <= 1_000_000; answers += 1 + answers / 3) {
            assertThat(SignaturePostings.bytesMax(answers))
                    .as("%d answers", answers)
                    .isGreaterThanOrEqualTo(256 * answers)
                    .isLessThanOrEqualTo(Math.min(256 * answers + (258 << 10), 904 * answers));
        }
        assertThat(SignaturePostings.bytesMax(1 << 24)).isGreaterThan(1L << 32);
    }

    private static List<PromptSignature> signatures(Random random, int count, int tokens) {
        List<PromptSignature> signatures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] prompt = random.ints(random.nextInt(80), 0, tokens).toArray();
            signatures.add(random.nextInt(4) == 0 ? PromptSignature.NONE : PromptSignature.of(prompt));
        }
        return signatures;
    }

    private static void check(List<PromptSignature> signatures) {
        SignaturePostings postings = SignaturePostings.of(
                signatures.size(),
                (document, number) -> signatures.get(document).hash(number));
        TreeMap<Character, List<Integer>> expected = new TreeMap<>();
        for (int document = 0; document < signatures.size(); document++) {
            for (int i = 0; i < signatures.get(document).size(); i++) {
                expected.computeIfAbsent(signatures.get(document).hash(i), hash -> new ArrayList<>())
                        .add(document);
            }
        }
        for (int hash = 1; hash <= Character.MAX_VALUE; hash++) {
            List<Integer> found = new ArrayList<>();
            for (int entry = postings.from((char) hash); entry < postings.to((char) hash); entry++) {
                found.add(postings.document(entry));
            }
            List<Integer> wanted = expected.getOrDefault((char) hash, List.of());
            if (!found.equals(wanted)) {
                assertThat(found).as("hash %d", hash).isEqualTo(wanted);
            }
        }
        long answers = signatures.size();
        assertThat(postings.bytes()).isLessThanOrEqualTo(SignaturePostings.bytesMax(answers));
        assertThat(postings.documents()).isEqualTo(signatures.size());
        assertThat(postings.answers()).isEqualTo((int)
                signatures.stream().filter(each -> each.size() > 0).count());
    }
}
