package io.tailrace.lab.demo;

import java.util.List;
import java.util.stream.IntStream;

/** Beginnings of stories, each another one. */
final class DemoPrompts {
    private static final String[] WHO = {
        "a little girl named Lily",
        "a boy named Tom",
        "a small brown dog",
        "an old farmer",
        "a clever fox",
        "a tiny blue bird",
        "a brave mouse",
        "a lonely robot"
    };
    private static final String[] DID = {
        "found a shiny key", "lost a red ball", "heard a strange sound", "wanted to fly", "made a new friend"
    };
    private static final String[] WHERE = {
        "in the garden",
        "near the river",
        "under a big tree",
        "on a rainy day",
        "at the market",
        "in the snow",
        "by the sea"
    };
    /** All there are. */
    static final int COUNT_MAX = WHO.length * DID.length * WHERE.length;
    /** Without a factor in common with their number, so that neighbours differ and none comes twice. */
    private static final int STRIDE = 89;

    private DemoPrompts() {}

    /** So many of them, always the same. */
    static List<String> of(int count) {
        return IntStream.range(0, count)
                .map(number -> number * STRIDE % COUNT_MAX)
                .mapToObj(DemoPrompts::prompt)
                .toList();
    }

    private static String prompt(int number) {
        return "Once upon a time, %s %s %s."
                .formatted(
                        WHO[number % WHO.length],
                        DID[number / WHO.length % DID.length],
                        WHERE[number / WHO.length / DID.length]);
    }
}
