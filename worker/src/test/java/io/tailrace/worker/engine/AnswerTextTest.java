package io.tailrace.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.worker.model.LetterTokenizer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AnswerTextTest {
    private final LetterTokenizer tokenizer = new LetterTokenizer();

    /** Whatever the pieces, what is shown is the text up to the earliest stop text. */
    @Test
    void showsTheTextUpToTheEarliestStopAndNothingOfIt() {
        for (long seed = 0; seed < 5_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String all = letters(random, random.nextInt(40));
            List<String> stops = Stream.generate(() -> letters(random, 1 + random.nextInt(4)))
                    .limit(random.nextInt(3))
                    .toList();
            AnswerText text = new AnswerText(tokenizer.stream(new int[0]), stops);
            StringBuilder shown = new StringBuilder();
            for (int token : tokenizer.encode(all, false)) {
                shown.append(text.append(token));
                assertThat(all).startsWith(shown);
            }
            shown.append(text.finish());
            int stop = stops.stream()
                    .mapToInt(all::indexOf)
                    .filter(at -> at >= 0)
                    .min()
                    .orElse(-1);
            if (stops.size() < 2 || stop < 0) {
                assertThat(shown)
                        .as("seed %d: %s, %s", seed, all, stops)
                        .hasToString(stop < 0 ? all : all.substring(0, stop));
            } else {
                assertThat(stops)
                        .as("seed %d: what is shown of %s ends where a stop begins", seed, all)
                        .anyMatch(each -> all.startsWith(each, shown.length()));
            }
            assertThat(text.stopped()).as("seed %d", seed).isEqualTo(stop >= 0);
            stops.forEach(each -> assertThat(shown.toString()).doesNotContain(each));
        }
    }

    private static String letters(SplittableRandom random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(3)));
        }
        return text.toString();
    }
}
