package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.RememberedAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded lanes of naive indexes: any of the sources may be absent or empty, and most answers have signatures. */
final class RandomLane {
    private RandomLane() {}

    static LaneIndex lane(Random random, int alphabet) {
        List<OccurrenceIndex> older = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            older.add(index(random, alphabet));
        }
        OccurrenceIndex newest = random.nextInt(3) == 0 ? null : index(random, alphabet);
        OccurrenceIndex fresh = random.nextInt(3) == 0 ? null : index(random, alphabet);
        return new LaneIndex(older, newest, fresh);
    }

    private static OccurrenceIndex index(Random random, int alphabet) {
        NaiveIndex index = new NaiveIndex();
        for (int documents = random.nextInt(5); documents > 0; documents--) {
            index.add(random.nextInt(8) == 0 ? RememberedAnswer.of(new int[0]) : SignedLane.answer(random, alphabet));
        }
        return index;
    }
}
