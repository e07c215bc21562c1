package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose lengths, checksums and hash are right and whose sections say what no writer says. */
class ForgedSegmentTest {
    /** In the text: of the first document a tail of two tokens, two of the answer, the terminator. */
    private static final int IN_TAIL = 0;

    private static final int IN_ANSWER = 2;

    /** Of the second one, of which no copies are known. */
    private static final int IN_UNKNOWN = 5;

    private static final int BEHIND_THE_TEXT = 8;

    @TempDir
    Path folder;

    private byte[] bytes;

    @BeforeEach
    void write() throws IOException {
        BitSet copied = new BitSet();
        copied.set(1);
        RememberedAnswer known = new RememberedAnswer(new int[] {1, 2}, new int[] {3, 2}, copied, PromptSignature.NONE);
        List<Compaction.Input> generations = List.of(
                new Compaction.Input(new GenerationEntry(1, 1, "p", 1), known), Generations.generation(2, 7, 8));
        bytes = Files.readAllBytes(
                Compaction.flush(generations, Generations.LANE, folder).files().segment());
    }

    @Test
    void anIntactFileStaysAsItIs() {
        byte[] forged = bytes.clone();
        ForgedSegment.forge(forged);
        assertThat(forged).isEqualTo(bytes);
    }

    @Test
    void anotherTokenIsTakenToBeCopied() throws Exception {
        try (Segment segment = opened(IN_ANSWER)) {
            assertThat(segment.allDocuments().copied(0).cardinality()).isEqualTo(2);
        }
    }

    @Test
    void onlyAnAnswersTokensMayBeCopies() {
        assertRefused(IN_TAIL, "0 in the tail of document 0");
        assertRefused(IN_UNKNOWN, "0 in document 1");
        assertRefused(BEHIND_THE_TEXT, "0 in what follows the text");
    }

    private void assertRefused(int position, String expected) {
        assertThatThrownBy(() -> opened(position).close())
                .isInstanceOf(CorruptSegmentException.class)
                .hasMessageContaining("bit of position " + position)
                .hasMessageContaining(expected);
    }

    /** With one bit more. */
    private Segment opened(int position) throws IOException {
        byte[] forged = bytes.clone();
        forged[ForgedSegment.offset(forged, Section.COPIES) + position / Byte.SIZE] |=
                (byte) (1 << position % Byte.SIZE);
        ForgedSegment.forge(forged);
        return Segment.openVerified(Files.write(folder.resolve("forged"), forged), Generations.LANE);
    }
}
