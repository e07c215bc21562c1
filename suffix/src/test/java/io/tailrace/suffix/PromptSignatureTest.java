package io.tailrace.suffix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.Cases;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PromptSignatureTest {
    private static final int[] LONG = new Random(1).ints(5_000, 0, 100_000).toArray();

    @Test
    void orderAndRepetitionChangeNothing() {
        Cases.forEachSeed(500, seed -> {
            Random random = new Random(seed);
            int[] prompt = random.ints(random.nextInt(60), 0, 40).toArray();
            int[] other = Arrays.copyOf(prompt, prompt.length * 2);
            for (int i = 0; i < prompt.length; i++) {
                other[prompt.length + i] = prompt[prompt.length - 1 - i];
            }
            assertThat(PromptSignature.of(other)).isEqualTo(PromptSignature.of(prompt));
        });
    }

    @Test
    void onlyThePromptsLastTokensAreLookedAt() {
        int[] end = Arrays.copyOfRange(LONG, LONG.length - PromptSignature.WINDOW_TOKENS, LONG.length);
        assertThat(PromptSignature.of(LONG)).isEqualTo(PromptSignature.of(end));
        assertThat(PromptSignature.of(LONG)).isNotEqualTo(PromptSignature.of(Arrays.copyOfRange(end, 100, end.length)));
        assertThat(PromptSignature.of(LONG, 3_000)).isEqualTo(PromptSignature.of(Arrays.copyOf(LONG, 3_000)));
    }

    @Test
    void promptsThatShareTokensShareHashesInProportion() {
        double shared = 0;
        for (int seed = 0; seed < 200; seed++) {
            int[] one = new Random(seed).ints(200, 0, 100_000).toArray();
            int[] other = one.clone();
            int[] fresh = new Random(seed + 1_000_000).ints(100, 0, 100_000).toArray();
            System.arraycopy(fresh, 0, other, 0, fresh.length);
            shared += common(PromptSignature.of(one), PromptSignature.of(other));
        }
        assertThat(shared / 200 / PromptSignature.HASHES_MAX).isBetween(0.4, 0.6);
    }

    private static long common(PromptSignature one, PromptSignature other) {
        return hashes(one)
                .filter(hash -> hashes(other).anyMatch(each -> each == hash))
                .count();
    }

    private static IntStream hashes(PromptSignature signature) {
        return IntStream.range(0, signature.size()).map(signature::hash);
    }

    @Test
    void aShortPromptHasAHashForEachOfItsTokensAndAnEmptyOneNone() {
        assertThat(PromptSignature.of(new int[] {5, 9, 5}).size()).isEqualTo(2);
        assertThat(PromptSignature.of(new int[0])).isSameAs(PromptSignature.NONE);
        assertThat(PromptSignature.of(LONG).size()).isBetween(63, 64);
        assertThat(PromptSignature.of(new int[] {Integer.MAX_VALUE, 0}).size()).isEqualTo(2);
    }

    @Test
    void hashesAscendAndNoneIsZero() {
        Cases.forEachSeed(500, seed -> {
            PromptSignature signature =
                    PromptSignature.of(new Random(seed).ints(300, 0, 1 << 20).toArray());
            for (int i = 0; i < signature.size(); i++) {
                assertThat((int) signature.hash(i)).isGreaterThan(i == 0 ? 0 : signature.hash(i - 1));
            }
            assertThat(signature.hash(signature.size())).isEqualTo(PromptSignature.NO_HASH);
        });
    }

    @Test
    void bytesGiveTheSignatureBack() {
        for (int length : new int[] {0, 1, 7, 5_000}) {
            PromptSignature signature = PromptSignature.of(LONG, length);
            byte[] bytes = signature.bytes();
            assertThat(bytes).hasSize(2 * signature.size()).hasSizeLessThanOrEqualTo(PromptSignature.BYTES_MAX);
            assertThat(PromptSignature.ofBytes(ByteBuffer.wrap(bytes))).isEqualTo(signature);
        }
    }

    @Test
    void whatIsNoSignatureIsRefused() {
        assertThatThrownBy(() -> PromptSignature.ofBytes(ByteBuffer.allocate(130)))
                .hasMessageContaining("got 130");
        assertThatThrownBy(() -> PromptSignature.ofBytes(ByteBuffer.allocate(3)))
                .hasMessageContaining("got 3");
        assertThatThrownBy(() -> PromptSignature.ofBytes(ByteBuffer.wrap(new byte[] {0, 0})))
                .hasMessageContaining("number 0 of 1");
        assertThatThrownBy(() -> PromptSignature.ofBytes(ByteBuffer.wrap(new byte[] {7, 0, 7, 0})))
                .hasMessageContaining("number 1 of 2");
        assertThatThrownBy(() -> PromptSignature.ofHashes(new char[65])).hasMessageContaining("got 65");
    }
}
