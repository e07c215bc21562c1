package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.Occurrences;
import io.tailrace.suffix.TokenCounts;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.RandomDocuments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damages files in every way we could think of: each must be refused by name, and none may hurt the process. */
class SegmentFuzzTest {
    private static final int ALIGNMENT = 64;

    @TempDir
    Path folder;

    private final List<byte[]> segments = new ArrayList<>();
    private final List<byte[]> sidecars = new ArrayList<>();

    @BeforeEach
    void writeIntactFiles() throws IOException {
        Random random = new Random(4);
        for (int i = 0; i < 4; i++) {
            RandomDocuments documents = new RandomDocuments(i, 3 + 20 * i, 60);
            Compaction.Files files = Compaction.flush(
                            Generations.of(documents.documents(6 + 5 * i, 25), random), Generations.LANE, folder)
                    .files();
            segments.add(Files.readAllBytes(files.segment()));
            sidecars.add(Files.readAllBytes(files.sidecar()));
        }
    }

    @Test
    void verifyingOpenRefusesEveryDamagedSegment() {
        Path file = folder.resolve("damaged");
        Cases.forEachSeed(10_000, seed -> {
            Random random = new Random(seed);
            byte[] intact = segments.get(random.nextInt(segments.size()));
            byte[] damaged = damaged(intact, random);
            if (!Arrays.equals(intact, damaged)) {
                Files.write(file, damaged);
                checkRefused(file);
                readWithoutCrash(file, random);
            }
        });
    }

    private static void checkRefused(Path file) throws IOException {
        try (Segment segment = Segment.openVerified(file, Generations.LANE)) {
            throw new AssertionError("accepted: " + segment.summary());
        } catch (CorruptSegmentException e) {
            assertThat(e).hasMessageContainingAll(file.toString(), "at offset", "expected", "got", "fetch it again");
        }
    }

    /** Whatever a fast reopen lets through, reading ends, and ends in an answer or a named file. */
    private static void readWithoutCrash(Path file, Random random) throws IOException {
        try (Segment segment = Segment.reopen(file, Generations.LANE)) {
            int[] context = random.ints(1 + random.nextInt(4), 0, 60).toArray();
            segment.nearest(context, context.length, 32, 0, new Occurrences());
            segment.count(context);
            segment.nextTokenCounts(context);
            segment.answer(random.nextInt(segment.documents())).tokens();
            segment.makePostings();
            segment.count(new TokenCounts());
            new LaneIndex(List.of(segment), segment, null);
            segment.checkInvariants();
        } catch (CorruptSegmentException e) {
            assertThat(e).hasMessageContaining(file.toString());
        } catch (UncheckedIOException e) {
            assertThat(e.getCause()).hasMessageContaining(file.toString());
        }
    }

    private byte[] damaged(byte[] intact, Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> Arrays.copyOf(intact, random.nextInt(intact.length));
            case 1 -> Arrays.copyOf(intact, intact.length + 1 + random.nextInt(200));
            case 2 -> withSwappedBlocks(intact, random);
            case 3 -> foreign(intact, random);
            case 4 -> withZeros(intact, random);
            default -> withFlips(intact, random);
        };
    }

    private static byte[] withFlips(byte[] intact, Random random) {
        byte[] bytes = intact.clone();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private static byte[] withSwappedBlocks(byte[] intact, Random random) {
        byte[] bytes = intact.clone();
        int blocks = bytes.length / ALIGNMENT;
        int one = random.nextInt(blocks) * ALIGNMENT;
        int other = random.nextInt(blocks) * ALIGNMENT;
        System.arraycopy(intact, one, bytes, other, ALIGNMENT);
        System.arraycopy(intact, other, bytes, one, ALIGNMENT);
        return bytes;
    }

    private static byte[] withZeros(byte[] intact, Random random) {
        byte[] bytes = intact.clone();
        int from = random.nextInt(bytes.length);
        Arrays.fill(bytes, from, Math.min(from + 1 + random.nextInt(100), bytes.length), (byte) 0);
        return bytes;
    }

    /** Another kind of file, or one file's head with another one's tail. */
    private byte[] foreign(byte[] intact, Random random) {
        if (random.nextBoolean()) {
            byte[] bytes = new byte[random.nextInt(2000)];
            random.nextBytes(bytes);
            return random.nextBoolean() ? bytes : sidecars.get(random.nextInt(sidecars.size()));
        }
        byte[] other = segments.get(random.nextInt(segments.size()));
        byte[] bytes = other.clone();
        int head = random.nextInt(Math.min(intact.length, other.length));
        System.arraycopy(intact, 0, bytes, 0, head);
        boolean isOther = Arrays.equals(bytes, other);
        return isOther ? intact : bytes;
    }

    @Test
    void damagedSidecarsAreRefused() {
        Path file = folder.resolve("damaged");
        Cases.forEachSeed(4000, seed -> {
            Random random = new Random(seed);
            byte[] intact = sidecars.get(random.nextInt(sidecars.size()));
            byte[] damaged = random.nextBoolean()
                    ? withFlips(intact, random)
                    : Arrays.copyOf(intact, random.nextInt(intact.length));
            if (!Arrays.equals(intact, damaged)) {
                Files.write(file, damaged);
                checkSidecarRefused(file);
            }
        });
    }

    private static void checkSidecarRefused(Path file) throws IOException {
        try {
            throw new AssertionError("accepted: " + Sidecar.read(file));
        } catch (CorruptSegmentException e) {
            assertThat(e).hasMessageContainingAll(file.toString(), "at offset", "expected", "got");
        }
    }
}
