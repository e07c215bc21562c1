package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.SignaturePostings;
import io.tailrace.suffix.SignedAnswers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the answers whose prompts are most like a prompt, by their signatures.
 *
 * <p><b>Similarity.</b> A hash weighs the square of its idf, log((D + 1) / (n + 0.5)), where n of D signatures in the lane have it; below {@value
 * #IDF_MIN} it weighs nothing. Two prompts are as similar as the weight of their common hashes. Signatures are about equally long, so dividing by
 * what each of them weighs, as a cosine does, orders answers no better, and takes most of the time. Among equals the later answer comes first.
 *
 * <p><b>Bounds.</b> Hashes are gone through from the rarest on, answers of one hash from the latest on, {@value #POSTINGS_MAX} in all. The {@value
 * #CANDIDATES_MAX} answers that have most in common as far as that goes are compared with all their hashes, and the best {@value #SIMILAR_MAX} of
 * them are the result. So a look-up costs no more in a larger lane. Memory: up to 70 KiB, taken as lanes need it, and 64 KiB a thread.
 *
 * <p>Weighing by idf and bounding by rare terms first are those of text search (Robertson and Spaerck Jones 1976; Moffat and Zobel 1996).
 */
final class SimilarSearch {
    static final int SIMILAR_MAX = 16;
    static final int CANDIDATES_MAX = 64;
    static final int POSTINGS_MAX = 1_024;
    static final double IDF_MIN = 0.3;

    private static final int LOGARITHMS = 1024;
    private static final double[] LOGARITHM = logarithms();

    /** Where each hash stands among the prompt's, from 1 on; 0: it is none of them, as all are between look-ups. */
    private static final ThreadLocal<byte[]> NUMBERS = ThreadLocal.withInitial(() -> new byte[1 << Character.SIZE]);

    /** The lane's texts, the latest last, and the number of the first answer of each among all. */
    private final List<SignedAnswers> parts = new ArrayList<>();

    private int[] firsts = new int[8];
    private SignaturePostings[] postings = new SignaturePostings[8];
    private double logAnswers;

    private final Shortlist sums = new Shortlist(CANDIDATES_MAX);
    private final Shortlist best = new Shortlist(SIMILAR_MAX);
    private final ScoreTable scores = new ScoreTable();
    /** Of each of the prompt's hashes, from 1 on; first of what is none of them. */
    private final float[] weights = new float[1 + PromptSignature.HASHES_MAX];

    /** Looks for the answers most similar to a prompt; {@link #size} and {@link #answer} tell them. */
    void find(PromptSignature prompt, LaneIndex index) {
        best.clear();
        open(index);
        if (!parts.isEmpty() && prompt.size() > 0) {
            addUp(prompt);
            compare(prompt);
        }
    }

    /** How many there are. */
    int size() {
        return best.size();
    }

    /** Number of an answer among all of the lane; rank 0: the most similar. */
    int answer(int rank) {
        return best.answer(rank);
    }

    /** The text that holds an answer. */
    SignedAnswers text(int answer) {
        return parts.get(part(answer));
    }

    /** An answer's number in its text. */
    int document(int answer) {
        return answer - firsts[part(answer)];
    }

    /** Forgets the lane. */
    void close() {
        parts.clear();
        Arrays.fill(postings, null);
        best.clear();
    }

    private void open(LaneIndex index) {
        parts.clear();
        for (OccurrenceIndex older : index.older()) {
            parts.addAll(older.signed());
        }
        add(index.newest());
        add(index.fresh());
        if (parts.size() >= firsts.length) {
            firsts = new int[2 * parts.size()];
            postings = new SignaturePostings[firsts.length];
        }
        int signed = 0;
        for (int part = 0; part < parts.size(); part++) {
            postings[part] = parts.get(part).postings();
            signed += postings[part].answers();
            firsts[part + 1] = firsts[part] + postings[part].documents();
        }
        logAnswers = StrictMath.log(signed + 1.0);
    }

    private void add(OccurrenceIndex index) {
        if (index != null) {
            parts.addAll(index.signed());
        }
    }

    /** Adds up what answers have in common with the prompt. */
    private void addUp(PromptSignature prompt) {
        scores.open();
        long[] rarestFirst = rarestFirst(prompt);
        int left = POSTINGS_MAX;
        for (int i = 0; i < rarestFirst.length && left > 0; i++) {
            int number = (char) rarestFirst[i];
            char hash = prompt.hash(number);
            float weight = weights[1 + number];
            for (int part = parts.size() - 1; part >= 0 && weight > 0; part--) {
                left -= addUp(part, hash, weight, left);
            }
        }
    }

    private int addUp(int part, char hash, float weight, int most) {
        SignaturePostings entries = postings[part];
        int to = entries.to(hash);
        int from = Math.max(entries.from(hash), to - most);
        for (int entry = to - 1; entry >= from; entry--) {
            scores.add(firsts[part] + entries.document(entry), weight);
        }
        return to - from;
    }

    /** Numbers of the prompt's hashes, each below how many answers have it, ascending; weighs them, too. */
    private long[] rarestFirst(PromptSignature prompt) {
        long[] hashes = new long[prompt.size()];
        for (int i = 0; i < hashes.length; i++) {
            int answers = answersWith(prompt.hash(i));
            weights[1 + i] = weight(answers);
            hashes[i] = (long) answers << Character.SIZE | i;
        }
        Arrays.sort(hashes);
        return hashes;
    }

    private void compare(PromptSignature prompt) {
        sums.clear();
        for (int i = 0; i < scores.size(); i++) {
            sums.offer(scores.answer(i), scores.score(i));
        }
        byte[] numbers = NUMBERS.get();
        try {
            for (int i = 0; i < prompt.size(); i++) {
                numbers[prompt.hash(i)] = (byte) (1 + i);
            }
            for (int i = 0; i < sums.size(); i++) {
                best.offer(sums.answer(i), similarity(numbers, sums.answer(i)));
            }
        } finally { // a segment's file may have gone
            for (int i = 0; i < prompt.size(); i++) {
                numbers[prompt.hash(i)] = 0;
            }
        }
    }

    /** The weight of what an answer's signature has in common with the prompt's: a read a hash, and no branch that goes either way. */
    private float similarity(byte[] numbers, int answer) {
        int part = part(answer);
        SignedAnswers text = parts.get(part);
        int document = answer - firsts[part];
        float common = 0;
        for (int i = 0; i < PromptSignature.HASHES_MAX; i++) {
            common += weights[numbers[text.signatureHash(document, i)]];
        }
        return common;
    }

    private float weight(int answersWith) {
        double idf =
                logAnswers - (answersWith < LOGARITHMS ? LOGARITHM[answersWith] : StrictMath.log(answersWith + 0.5));
        return idf < IDF_MIN ? 0 : (float) (idf * idf);
    }

    private int answersWith(char hash) {
        int answers = 0;
        for (int part = 0; part < parts.size(); part++) {
            answers += postings[part].to(hash) - postings[part].from(hash);
        }
        return answers;
    }

    private int part(int answer) {
        int part = parts.size() - 1;
        while (firsts[part] > answer) {
            part--;
        }
        return part;
    }

    private static double[] logarithms() {
        double[] table = new double[LOGARITHMS];
        for (int i = 0; i < LOGARITHMS; i++) {
            table[i] = StrictMath.log(i + 0.5);
        }
        return table;
    }
}
