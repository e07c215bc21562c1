package io.tailrace.lab.bench.poison;

import io.tailrace.lab.replay.ReplayCase;
import io.tailrace.suffix.RememberedAnswer;
import java.util.List;
import java.util.SplittableRandom;

/** Kinds of junk. Who makes it may know all that honest requests were answered until now. */
enum Flood {
    /** Random tokens, as long as an honest answer: it takes room. */
    RANDOM("random tokens") {
        @Override
        int[] answer(ReplayCase copied, List<ReplayCase> known, int vocabulary, SplittableRandom random) {
            return random.ints(copied.response().length, 0, vocabulary).toArray();
        }
    },
    /** An honest request with the answer of another one. */
    SWAPPED("others' answers") {
        @Override
        int[] answer(ReplayCase copied, List<ReplayCase> known, int vocabulary, SplittableRandom random) {
            return known.get(random.nextInt(known.size())).response();
        }
    },
    /** An honest request with its answer, every second token of which is another one, always the same in its place: true contexts with a wrong
     * next token that many copies agree on. */
    ALTERED("altered answers") {
        @Override
        int[] answer(ReplayCase copied, List<ReplayCase> known, int vocabulary, SplittableRandom random) {
            int[] altered = copied.response().clone();
            for (int at = random.nextInt(PERIOD); at < altered.length; at += PERIOD) {
                altered[at] = (altered[at] + 1) % vocabulary;
            }
            return altered;
        }
    };

    private static final int PERIOD = 2;
    /** Junk copies what was asked lately. */
    private static final int NEWEST = 50;

    private final String title;

    Flood(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /**
     * One answer of the flood.
     *
     * @param known honest requests until now, the latest last; at least one
     * @param vocabulary token ids are below it; at least 2
     */
    RememberedAnswer next(List<ReplayCase> known, int vocabulary, SplittableRandom random) {
        int newest = Math.min(NEWEST, known.size());
        ReplayCase copied = known.get(known.size() - 1 - random.nextInt(newest));
        int[] answer = answer(copied, known, vocabulary, random);
        return RememberedAnswer.of(copied.prompt(), RememberedAnswer.TAIL_TOKENS, answer);
    }

    abstract int[] answer(ReplayCase copied, List<ReplayCase> known, int vocabulary, SplittableRandom random);
}
