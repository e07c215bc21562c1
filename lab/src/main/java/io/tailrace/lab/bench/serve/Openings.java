package io.tailrace.lab.bench.serve;

import io.tailrace.worker.model.TextTokenizer;
import java.util.List;

/** Openings of stories, for models without recorded prompts. */
final class Openings {
    private static final List<String> TEXTS = List.of(
            "Once upon a time there was a little girl named",
            "One sunny day a boy went to the park with his",
            "In a small house near the forest lived an old",
            "The dog saw a big red ball and wanted to",
            "Every morning the baker opened the door of her",
            "Tom had a blue boat that he loved more than",
            "It was raining, so the two friends stayed inside and",
            "The cat climbed up the tall tree because it",
            "Deep in the sea there lived a fish who could",
            "Grandma told a story about the day when the moon");

    private Openings() {}

    static List<int[]> encoded(TextTokenizer tokenizer) {
        return TEXTS.stream().map(text -> tokenizer.encode(text, true)).toList();
    }
}
