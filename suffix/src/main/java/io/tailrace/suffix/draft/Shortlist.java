package io.tailrace.suffix.draft;

/** The answers with the highest scores of those offered, best first; among equals the later one, which has the higher number. */
final class Shortlist {
    private final int[] answers;
    private final float[] scores;
    private int size;

    Shortlist(int sizeMax) {
        answers = new int[sizeMax];
        scores = new float[sizeMax];
    }

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    int answer(int rank) {
        return answers[rank];
    }

    float score(int rank) {
        return scores[rank];
    }

    void offer(int answer, float score) {
        if (size == answers.length && !isBetter(answer, score, size - 1)) {
            return;
        }
        int at = Math.min(size, answers.length - 1);
        for (; at > 0 && isBetter(answer, score, at - 1); at--) {
            answers[at] = answers[at - 1];
            scores[at] = scores[at - 1];
        }
        answers[at] = answer;
        scores[at] = score;
        size = Math.min(size + 1, answers.length);
    }

    private boolean isBetter(int answer, float score, int rank) {
        return score > scores[rank] || (score == scores[rank] && answer > answers[rank]);
    }
}
