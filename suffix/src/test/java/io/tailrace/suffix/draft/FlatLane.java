package io.tailrace.suffix.draft;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.OccurrenceIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenText;
import java.util.List;

/** A lane of one document whose search allocates nothing: every place of the last token, with its match length. */
final class FlatLane implements OccurrenceIndex, TokenText {
    private final int[] text;

    FlatLane(int[] text) {
        this.text = text;
    }

    LaneIndex index() {
        return new LaneIndex(List.of(this), this, this);
    }

    @Override
    public int token(int position) {
        return position >= 0 && position < text.length ? text[position] : TERMINATOR;
    }

    @Override
    public int nearest(int[] context, int length, int countMax, int source, Occurrences into) {
        int count = 0;
        for (int wanted = 6; wanted > 0 && count < countMax; wanted--) {
            for (int position = 0; position + 1 < text.length && count < countMax; position++) {
                if (match(position, context, length) == wanted) {
                    into.add(this, position, wanted, source);
                    count++;
                }
            }
        }
        return count;
    }

    private int match(int position, int[] context, int length) {
        int match = 0;
        while (match < 6
                && match < length
                && position >= match
                && text[position - match] == context[length - 1 - match]) {
            match++;
        }
        return match;
    }
}
