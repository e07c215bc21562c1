package io.tailrace.worker.djl;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.testkit.Cases;
import io.tailrace.worker.model.LetterTokenizer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Behind another text. */
class DecodedStreamTest {
    /** Drops the space before a text's first word, as SentencePiece's decoders do. */
    private static final LetterTokenizer STRIPS = new LetterTokenizer() {
        @Override
        public String decode(int[] tokens) {
            String text = super.decode(tokens);
            return text.startsWith(" ") ? text.substring(1) : text;
        }
    };

    @Test
    void aTextGoesOnWhereThePromptHasEndedWithItsSpace() {
        int[] prompt = STRIPS.encode("once upon a", false);
        DecodedStream stream = new DecodedStream(STRIPS, prompt);
        StringBuilder text = new StringBuilder();
        for (int token : STRIPS.encode(" time", false)) {
            text.append(stream.append(token));
        }
        assertThat(text.append(stream.finish())).hasToString(" time");
        assertThat(new DecodedStream(STRIPS, new int[0]).append(STRIPS.encode(" ", false)[0]))
                .as("the first word of all")
                .isEmpty();
    }

    @Test
    void whatAStreamSaysJoinsToTheWholeBehindThePrompt() {
        Cases.forEachSeed(500, seed -> {
            Random random = new Random(seed);
            int[] all = random.ints(1 + random.nextInt(30), 0, LetterTokenizer.VOCABULARY)
                    .toArray();
            int seam = random.nextInt(all.length);
            int[] prompt = Arrays.copyOf(all, seam);
            String before = STRIPS.decode(prompt);
            DecodedStream stream = new DecodedStream(STRIPS, prompt);
            StringBuilder text = new StringBuilder(before);
            for (int place = seam; place < all.length; place++) {
                text.append(stream.append(all[place]));
            }
            text.append(stream.finish());
            if (!before.isEmpty()) { // else it begins the text, as far as anybody can see
                assertThat(text).hasToString(STRIPS.decode(all));
            }
        });
    }
}
