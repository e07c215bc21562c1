package io.tailrace.lab.load;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.Drafter;
import io.tailrace.suffix.draft.SourceKind;
import java.util.Random;

/** Knows the answer and drafts random trees around it, some right, some wrong; checks what it is told. */
final class OracleDrafter implements Drafter {
    private final int[] answer;
    private final Random random;
    private int position;
    private LaneIndex lastIndex;
    private int begun;

    OracleDrafter(int[] answer, Random random) {
        this.answer = answer;
        this.random = random;
    }

    LaneIndex lastIndex() {
        return lastIndex;
    }

    int begun() {
        return begun;
    }

    @Override
    public void begin(int[] prompt, int length) {
        position = 0;
        begun++;
    }

    @Override
    public Draft draft(LaneIndex index, int budget) {
        lastIndex = index;
        FakeDraft draft = new FakeDraft();
        int size = budget == 0 ? 0 : random.nextInt(budget + 1);
        int[] depths = new int[size];
        for (int node = 0; node < size; node++) {
            int parent = random.nextInt(node + 1) - 1;
            depths[node] = parent < 0 ? 0 : depths[parent] + 1;
            int at = position + depths[node];
            boolean right = random.nextBoolean() && at < answer.length;
            draft.node(parent, right ? answer[at] : 1_000, SourceKind.NEWEST, 1 + random.nextInt(30));
        }
        return draft;
    }

    @Override
    public void verified(int[] tokens, int length) {
        for (int i = 0; i < length; i++) {
            if (answer[position++] != tokens[i]) {
                throw new AssertionError("told a token that is not the answer's");
            }
        }
    }
}
