package io.tailrace.suffix.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.CorruptSegmentException;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.SegmentIdentity;
import io.tailrace.testkit.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that the program wrote itself is taken at its hash: whatever changed on its way is found by that. */
class OwnSegmentsTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity("m@1/s", 50, "t");

    @TempDir
    Path folder;

    private byte[] intact;
    private byte[] stored;
    private SegmentFile wanted;

    @BeforeEach
    void writeOne() throws IOException {
        List<Compaction.Input> generations = List.of(
                new Compaction.Input(new GenerationEntry(1, 1, "p", 1), new int[] {3, 1, 4, 1, 5}),
                new Compaction.Input(new GenerationEntry(2, 2, "p", 2), new int[] {9, 2, 6, 5, 3, 5}));
        Compaction.Result written = Compaction.flush(generations, IDENTITY, folder.resolve("written"));
        intact = Files.readAllBytes(written.files().segment());
        stored = intact;
        wanted = new SegmentFile("segment", written.summary().sha256(), intact.length);
    }

    @Test
    void anIntactFileIsMapped() throws IOException {
        SegmentOpener.Mapped mapped = segments().open(wanted, IDENTITY);
        assertThat(mapped.index()).isNotNull();
        mapped.unmap().run();
    }

    @Test
    void noChangedByteAndNoCutGetsThrough() throws IOException {
        SegmentFolder segments = segments();
        Cases.forEachSeed(1_000, seed -> {
            Random random = new Random(seed);
            stored = random.nextInt(10) == 0 ? cut(random) : changed(random);
            assertThatThrownBy(() -> segments.open(wanted, IDENTITY)).isInstanceOf(CorruptSegmentException.class);
            assertThat(segments.isMissing(wanted)).isTrue();
        });
    }

    @Test
    void aForeignLaneOrTokenizerIsRefused() throws IOException {
        for (SegmentIdentity foreign :
                List.of(new SegmentIdentity("m@1/t", 50, "t"), new SegmentIdentity("m@1/s", 50, "other"))) {
            assertThatThrownBy(() -> segments().open(wanted, foreign)).isInstanceOf(CorruptSegmentException.class);
        }
    }

    private byte[] changed(Random random) {
        byte[] bytes = intact.clone();
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
        return bytes;
    }

    private byte[] cut(Random random) {
        return Arrays.copyOf(intact, random.nextInt(intact.length));
    }

    private SegmentFolder segments() throws IOException {
        return new SegmentFolder(
                (file, target) -> Files.write(target, stored),
                folder.resolve("cache"),
                0,
                SegmentOpener.ownSegments(),
                (sha256, damage) -> {});
    }
}
