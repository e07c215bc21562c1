package io.tailrace.suffix.draft;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The dull twin of {@link SimilarSearch}: compares all answers, bounded as it is. */
final class NaiveSimilarity {
    private final List<Set<Character>> signatures;
    private final Map<Character, Integer> counts = new TreeMap<>();
    private final int signed;

    private record Scored(int answer, float score) {
        static final Comparator<Scored> BEST_FIRST = Comparator.comparing(Scored::score)
                .thenComparing(Scored::answer)
                .reversed();
    }

    NaiveSimilarity(List<RememberedAnswer> answers) {
        signatures = answers.stream().map(answer -> hashes(answer.signature())).toList();
        signatures.forEach(each -> each.forEach(hash -> counts.merge(hash, 1, Integer::sum)));
        signed = (int) signatures.stream().filter(each -> !each.isEmpty()).count();
    }

    private static Set<Character> hashes(PromptSignature signature) {
        Set<Character> hashes = new TreeSet<>();
        for (int i = 0; i < signature.size(); i++) {
            hashes.add(signature.hash(i));
        }
        return hashes;
    }

    /** Numbers of the most similar answers, best first. */
    List<Integer> find(PromptSignature prompt) {
        float[] sums = sums(prompt);
        List<Scored> common = IntStream.range(0, sums.length)
                .filter(answer -> sums[answer] > 0)
                .mapToObj(answer -> new Scored(answer, sums[answer]))
                .sorted(Scored.BEST_FIRST)
                .limit(SimilarSearch.CANDIDATES_MAX)
                .toList();
        return common.stream()
                .map(each -> new Scored(each.answer, similarity(hashes(prompt), signatures.get(each.answer))))
                .sorted(Scored.BEST_FIRST)
                .limit(SimilarSearch.SIMILAR_MAX)
                .map(Scored::answer)
                .toList();
    }

    private float[] sums(PromptSignature prompt) {
        List<Character> rarestFirst = new ArrayList<>(hashes(prompt));
        rarestFirst.sort(Comparator.comparing(this::answersWith).thenComparing(hash -> hash));
        float[] sums = new float[signatures.size()];
        int visited = 0;
        for (char hash : rarestFirst) {
            for (int answer = sums.length - 1; answer >= 0 && weight(hash) > 0; answer--) {
                if (signatures.get(answer).contains(hash) && visited < SimilarSearch.POSTINGS_MAX) {
                    sums[answer] += weight(hash);
                    visited++;
                }
            }
        }
        return sums;
    }

    private float similarity(Set<Character> one, Set<Character> other) {
        float common = 0;
        for (char hash : one) {
            common += other.contains(hash) ? weight(hash) : 0;
        }
        return common;
    }

    private float weight(char hash) {
        double idf = StrictMath.log(signed + 1.0) - StrictMath.log(answersWith(hash) + 0.5);
        return idf < 0.3 ? 0 : (float) (idf * idf);
    }

    private int answersWith(char hash) {
        return counts.getOrDefault(hash, 0);
    }
}
