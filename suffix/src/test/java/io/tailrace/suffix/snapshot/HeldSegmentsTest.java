package io.tailrace.suffix.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldSegmentsTest {
    private static final long SEED = 20_261_121L;
    private static final int FILES = 6;
    private static final SegmentIdentity IDENTITY = new SegmentIdentity("toy@1/acme", 1000, "toy");

    @TempDir
    Path folder;

    private final List<SegmentFile> files = new ArrayList<>();
    /** How often each file is mapped, by its name. */
    private final Map<String, Integer> mappings = new HashMap<>();

    private SegmentFolder segments;
    private MappedSegments mapped;
    private int missing = -1;

    /** Maps nothing and counts. */
    private final class Counting implements SegmentOpener {
        @Override
        public String verify(Path file, SegmentIdentity expected) throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            return files.get(bytes[0]).sha256();
        }

        @Override
        public SegmentIdentity identity(Path file) {
            return IDENTITY;
        }

        @Override
        public SegmentOpener.Mapped reopen(Path file, SegmentIdentity expected) throws IOException {
            Files.size(file);
            String name = file.getFileName().toString().replace(".segment", "");
            mappings.merge(name, 1, Integer::sum);
            return new SegmentOpener.Mapped(
                    (context, length, countMax, source, into) -> 0, () -> mappings.merge(name, -1, Integer::sum));
        }
    }

    @BeforeEach
    void sixFiles() throws Exception {
        for (int i = 0; i < FILES; i++) {
            byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(new byte[] {(byte) i});
            files.add(new SegmentFile("file-" + i, HexFormat.of().formatHex(sha256), 1));
        }
        segments = new SegmentFolder(this::download, folder, 0, new Counting(), (sha256, damage) -> {});
        mapped = new MappedSegments(segments);
    }

    private void download(SegmentFile file, Path target) throws IOException {
        int number = files.indexOf(file);
        if (number == missing) {
            throw new IOException("no file " + number);
        }
        Files.write(target, new byte[] {(byte) number});
    }

    private List<String> mappedNow() {
        List<String> now = new ArrayList<>();
        new TreeSet<>(mappings.keySet()).forEach(name -> {
            for (int i = 0; i < mappings.get(name); i++) {
                now.add(name);
            }
        });
        return now;
    }

    @Test
    void allAreHeldInTheOrderAskedForOrNone() throws Exception {
        missing = 2;
        assertThatThrownBy(() -> HeldSegments.acquire(mapped, files.subList(0, 3), IDENTITY))
                .hasMessage("no file 2");
        assertThat(mappedNow()).isEmpty();
        HeldSegments one = HeldSegments.acquire(mapped, List.of(files.get(1)), IDENTITY);
        HeldSegments three = HeldSegments.acquire(mapped, List.of(files.get(3), files.get(1), files.get(0)), IDENTITY);
        assertThat(three.indexes()).hasSize(3);
        assertThat(three.indexes().get(1)).isSameAs(one.indexes().get(0));
        one.release();
        three.release();
        assertThat(mappedNow()).isEmpty();
    }

    /** A snapshot names its newest last. */
    @Test
    void theLastIsMappedFirst() throws Exception {
        missing = 1;
        assertThatThrownBy(() -> HeldSegments.acquire(mapped, files.subList(0, 4), IDENTITY))
                .hasMessage("no file 1");
        List<String> fetched = files.stream()
                .filter(file -> !segments.isMissing(file))
                .map(SegmentFile::path)
                .toList();
        assertThat(fetched).containsExactly("file-2", "file-3");
    }

    /** The check of every byte gives the file's hash: it is compared with what was asked for, and the file not read again for another. */
    @Test
    void aFetchedFileIsHashedByItsCheckAlone() throws Exception {
        SegmentFolder longer = new SegmentFolder(
                (file, target) -> Files.write(target, new byte[] {(byte) files.indexOf(file), 1, 2, 3}),
                folder.resolve("longer"),
                0,
                new Counting(),
                (sha256, damage) -> {});
        longer.open(files.get(2), IDENTITY).unmap().run();
        assertThat(longer.isMissing(files.get(2))).isFalse();
        SegmentFolder wrong = new SegmentFolder(
                (file, target) -> Files.write(target, new byte[] {(byte) (files.indexOf(file) + 1)}),
                folder.resolve("wrong"),
                0,
                new Counting(),
                (sha256, damage) -> {});
        assertThatThrownBy(() -> wrong.open(files.get(2), IDENTITY))
                .hasMessageContaining("sha256 %s expected, got %s"
                        .formatted(files.get(2).sha256(), files.get(3).sha256()));
        assertThat(wrong.isMissing(files.get(2))).isTrue();
    }

    /** The dull twin: what the holders hold, each once. */
    @Test
    void whatIsMappedIsWhatSomebodyHoldsHoweverManyComeAndGoAndFail() throws IOException {
        Random random = new Random(SEED);
        Map<HeldSegments, List<SegmentFile>> holders = new HashMap<>();
        for (int step = 0; step < 4_000; step++) {
            missing = random.nextInt(2 * FILES);
            segments.evict(mapped::isMapped); // so that what is not mapped is fetched anew, and may fail
            if (random.nextBoolean() && !holders.isEmpty()) {
                HeldSegments some = holders.keySet().iterator().next();
                some.release();
                holders.remove(some);
            } else {
                List<SegmentFile> wanted = new ArrayList<>(files);
                wanted.removeIf(file -> random.nextInt(3) > 0);
                try {
                    holders.put(HeldSegments.acquire(mapped, wanted, IDENTITY), wanted);
                } catch (IOException failed) {
                    assertThat(failed).hasMessage("no file " + missing);
                }
            }
            TreeSet<String> held = new TreeSet<>();
            holders.values().forEach(some -> some.forEach(file -> held.add(file.sha256())));
            assertThat(mappedNow()).as("seed %d step %d", SEED, step).isEqualTo(List.copyOf(held));
        }
    }
}
