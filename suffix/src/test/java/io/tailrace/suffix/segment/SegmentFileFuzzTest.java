package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.testkit.AllocationLimit;
import io.tailrace.testkit.RandomDocuments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** Segment files. Of {@linkplain FuzzedFile forged} ones the length, the checksums and the SHA-256 are right. */
class SegmentFileFuzzTest {
    /** Counts lie in tables as long as the largest token that is counted, 64 bytes each with what growing leaves; a limit has 1,024 for each byte of input. */
    private static final int COUNTED = 64 * TokenCounts.TOKENS_MAX / 1_024;

    @TempDir
    static Path folder;

    static Stream<byte[]> seeds() {
        return Stream.of(0, 1, 2, 3).flatMap(SegmentFileFuzzTest::seeds);
    }

    private static Stream<byte[]> seeds(int which) {
        try {
            RandomDocuments documents = new RandomDocuments(which, 3 + 20 * which, 60);
            List<int[]> texts = documents.documents(1 + 3 * which, 12);
            Path file = Compaction.flush(Generations.of(texts, new Random(which)), Generations.LANE, folder)
                    .files()
                    .segment();
            return FuzzedFile.seeds(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @MethodSource("seeds")
    @FuzzTest
    void aSegmentIsReadOrRefused(byte[] data) throws Exception {
        FuzzedFile fuzzed = FuzzedFile.of(data);
        byte[] bytes = fuzzed.bytes();
        if (fuzzed.forged()) {
            ForgedSegment.forge(bytes);
        }
        Path file = Files.write(folder.resolve("fuzzed"), bytes);
        AllocationLimit.check(bytes.length, () -> {
            readVerified(file);
            readReopened(file);
            return null;
        });
        AllocationLimit.check(bytes.length + COUNTED, () -> {
            countReopened(file);
            return null;
        });
    }

    private static void readVerified(Path file) throws IOException {
        try (Segment segment = Segment.inspect(file)) {
            assertThat(segment.summary().sizeBytes()).isEqualTo(Files.size(file));
            assertThat(Segment.identity(file)).isEqualTo(segment.identity());
            for (int document = 0; document < segment.documents(); document++) {
                assertThat(segment.answer(document).tokens()).hasSize(segment.answerLength(document));
            }
            ask(segment);
        } catch (CorruptSegmentException refused) {
            assertThat(refused).hasMessageContainingAll(file.toString(), "at offset", "expected", "got");
        }
    }

    /** Of a file that is only reopened every answer may be wrong; none may hurt. */
    private static void readReopened(Path file) throws IOException {
        try (Segment segment = Segment.reopen(file, Generations.LANE)) {
            ask(segment);
        } catch (CorruptSegmentException refused) {
            assertThat(refused).hasMessageContaining(file.toString());
        }
    }

    /** A token that has rotted in a file that was verified once may be any. */
    private static void countReopened(Path file) throws IOException {
        try (Segment segment = Segment.reopen(file, Generations.LANE)) {
            asked(() -> segment.count(new TokenCounts()));
            asked(() -> new LaneIndex(List.of(segment), segment, null));
        } catch (CorruptSegmentException refused) {
            assertThat(refused).hasMessageContaining(file.toString());
        }
    }

    private static void ask(Segment segment) {
        for (int[] context : new int[][] {{}, {0}, {3, 1}, {7, 7, 7}, {Integer.MAX_VALUE}}) {
            asked(() -> segment.nearest(context, context.length, 32, 0, new Occurrences()));
            asked(() -> segment.count(context));
            asked(() -> segment.nextTokenCounts(context));
            asked(() -> segment.endings(context, context.length, context.length));
        }
        for (int document = 0; document < Math.min(segment.documents(), 4); document++) {
            int asked = document;
            asked(() -> segment.answer(asked).tokens());
            asked(() -> segment.tail(asked));
            asked(() -> segment.signatureHash(asked, 0));
        }
        asked(segment::makePostings);
        asked(segment::checkInvariants);
    }

    private static void asked(Question question) {
        try {
            question.ask();
        } catch (UncheckedIOException damaged) {
            assertThat(damaged.getCause()).isInstanceOf(CorruptSegmentException.class);
        } catch (IOException damaged) {
            assertThat(damaged).isInstanceOf(CorruptSegmentException.class);
        }
    }

    @FunctionalInterface
    private interface Question {
        void ask() throws IOException;
    }
}
