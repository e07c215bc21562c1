package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.segment.FreshIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A seeded lane of answers with signatures, in several parts, some of them in several runs; and the same answers as a list, oldest first. */
record SignedLane(LaneIndex index, List<RememberedAnswer> answers) {
    static SignedLane of(Random random, int answersMax, int alphabet) {
        List<RememberedAnswer> answers = new ArrayList<>();
        List<OccurrenceIndex> older = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            older.add(part(random, answersMax, alphabet, answers));
        }
        OccurrenceIndex newest = random.nextInt(3) == 0 ? null : part(random, answersMax, alphabet, answers);
        OccurrenceIndex fresh = random.nextInt(3) == 0 ? null : part(random, answersMax, alphabet, answers);
        return new SignedLane(new LaneIndex(older, newest, fresh), answers);
    }

    private static OccurrenceIndex part(Random random, int answersMax, int alphabet, List<RememberedAnswer> answers) {
        FreshIndex index = new FreshIndex(Integer.MAX_VALUE);
        for (int count = random.nextInt(answersMax + 1); count > 0; count--) {
            RememberedAnswer answer = answer(random, alphabet);
            answers.add(answer);
            index.add(answer, answers.size());
        }
        return index;
    }

    /** One in four without a signature. */
    static RememberedAnswer answer(Random random, int alphabet) {
        int[] prompt = prompt(random, alphabet);
        int[] tokens = random.ints(1 + random.nextInt(30), 0, alphabet).toArray();
        RememberedAnswer answer = RememberedAnswer.of(prompt, random.nextInt(6), tokens);
        return random.nextInt(4) == 0
                ? new RememberedAnswer(answer.promptTail(), answer.tokens(), PromptSignature.NONE)
                : answer;
    }

    static int[] prompt(Random random, int alphabet) {
        return random.ints(random.nextInt(40), 0, 2 * alphabet).toArray();
    }
}
