package io.tailrace.suffix.example;

import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.FreshIndex;

/** Builds an index of token sequences in memory, and asks it what followed. */
final class WhatFollows {
    private WhatFollows() {}

    /** The tokens that followed the nearest occurrences of the context's end, longest match first. */
    static int[] whatFollows(int[][] answers, int[] context) {
        FreshIndex index = new FreshIndex(1_000_000);
        for (int[] answer : answers) {
            index.add(answer, System.currentTimeMillis());
        }
        Occurrences found = new Occurrences();
        index.nearest(context, context.length, 16, SourceKind.FRESH.index(), found);
        int[] next = new int[found.size()];
        for (int i = 0; i < next.length; i++) {
            next[i] = found.text(i).token(found.position(i) + 1);
        }
        return next;
    }
}
