package io.tailrace.suffix.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.testkit.Cases;
import io.tailrace.testkit.RandomDocuments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CompactionTest {
    @TempDir
    Path folder;

    @Test
    void mergeGivesTheBytesOfAFlushOfTheSurvivors() {
        Cases.forEachSeed(150, seed -> {
            Random random = new Random(seed);
            RandomDocuments documents = new RandomDocuments(seed, 1 + random.nextInt(12), 12);
            List<Compaction.Input> generations =
                    Generations.of(documents.documents(1 + random.nextInt(40), 30), random);
            Retention retention = retention(random);
            List<List<Compaction.Input>> parts = parts(generations, random);
            List<Compaction.Input> survivors =
                    survivors(parts.stream().flatMap(CompactionTest::known).toList(), retention);
            Compaction.Result merged = Compaction.merge(flushed(parts, random), retention, Generations.LANE, folder);
            Compaction.Result flushed = Compaction.flush(survivors, Generations.LANE, folder.resolve("flushed"));
            assertThat(merged.summary()).isEqualTo(flushed.summary());
            long dropped = tokens(generations) - tokens(survivors);
            assertThat(merged.expiredTokens() + merged.deletedTokens()).isEqualTo(dropped);
            if (flushed.files() != null) {
                assertThat(merged.files().segment())
                        .hasSameBinaryContentAs(flushed.files().segment());
                assertThat(merged.files().sidecar())
                        .hasSameBinaryContentAs(flushed.files().sidecar());
            }
        });
    }

    /** Comparing each text with all others of its hash would take minutes. */
    @Test
    @Timeout(60)
    void textsOfOneHashCostNoMoreThanOthers() throws IOException {
        List<Compaction.Input> generations = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            for (int j = 0; j < 250; j++) {
                generations.add(Generations.generation(i, i, 10_000 - 31 * i, j, 10_000 - 31 * j));
            }
        }
        Compaction.Result result = Compaction.flush(generations, Generations.LANE, folder);
        assertThat(result.summary().documents()).isEqualTo(generations.size());
    }

    private static List<List<Compaction.Input>> parts(List<Compaction.Input> generations, Random random) {
        List<List<Compaction.Input>> parts = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(5); i++) {
            parts.add(new ArrayList<>());
        }
        boolean skewed = random.nextBoolean();
        generations.forEach(g -> parts.get(skewed && random.nextInt(12) > 0 ? 0 : random.nextInt(parts.size()))
                .add(g));
        return parts;
    }

    /** Of equal answers in one part, the newest one's signature is known, and of no other. */
    private static Stream<Compaction.Input> known(List<Compaction.Input> part) {
        Map<RememberedAnswer, GenerationEntry> newest = new HashMap<>();
        part.forEach(each ->
                newest.merge(each.answer(), each.entry(), (a, b) -> Document.ENTRY_ORDER.compare(a, b) > 0 ? a : b));
        return part.stream().map(each -> newest.get(each.answer()).equals(each.entry()) ? each : unsigned(each));
    }

    private static Compaction.Input unsigned(Compaction.Input generation) {
        RememberedAnswer answer = generation.answer();
        return new Compaction.Input(generation.entry(), new RememberedAnswer(answer.promptTail(), answer.tokens()));
    }

    private List<Compaction.Files> flushed(List<List<Compaction.Input>> parts, Random random) throws IOException {
        List<Compaction.Files> files = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Compaction.Files part = Compaction.flush(parts.get(i), Generations.LANE, folder.resolve("part" + i))
                    .files();
            if (part != null) {
                files.add(part);
            }
        }
        Collections.shuffle(files, random);
        return files;
    }

    private static Retention retention(Random random) {
        int deletedProducer = random.nextInt(6);
        return new Retention(
                random.nextBoolean() ? Long.MIN_VALUE : random.nextInt(20),
                random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(400),
                entry -> entry.producer().equals("p" + deletedProducer));
    }

    private static List<Compaction.Input> survivors(List<Compaction.Input> generations, Retention retention) {
        List<Compaction.Input> live = new ArrayList<>(generations);
        live.removeIf(g -> retention.deleted().test(g.entry())
                || g.entry().completedAtMillis() < retention.completedAfterMillis());
        live.sort((a, b) -> Document.ENTRY_ORDER.compare(b.entry(), a.entry()));
        List<Compaction.Input> kept = new ArrayList<>();
        long tokens = 0;
        for (Compaction.Input generation : live) {
            tokens += generation.answer().tokens().length;
            if (tokens > retention.liveTokensMax()) {
                break;
            }
            kept.add(generation);
        }
        return kept;
    }

    private static long tokens(List<Compaction.Input> generations) {
        return generations.stream().mapToLong(g -> g.answer().tokens().length).sum();
    }

    @Test
    void sidecarKeepsEveryGenerationOfADocument() throws Exception {
        GenerationEntry first = new GenerationEntry(1, 2, "a", 10);
        GenerationEntry second = new GenerationEntry(3, 4, "b", 5);
        List<Compaction.Files> inputs = List.of(
                flush("x", new Compaction.Input(first, new int[] {1, 2})),
                flush("y", new Compaction.Input(second, new int[] {1, 2})));
        Compaction.Result merged = Compaction.merge(inputs, Retention.everything(), Generations.LANE, folder);
        assertThat(Sidecar.read(merged.files().sidecar()).entries()).containsExactly(List.of(second, first));
        Retention forgetFirst = new Retention(Long.MIN_VALUE, Long.MAX_VALUE, first::equals);
        Compaction.Result rest = Compaction.merge(List.of(merged.files()), forgetFirst, Generations.LANE, folder);
        assertThat(rest.deletedTokens()).isEqualTo(2);
        assertThat(rest.summary().newestCompletedAtMillis()).isEqualTo(5);
        assertThat(Sidecar.read(rest.files().sidecar()).entries()).containsExactly(List.of(second));
    }

    private Compaction.Files flush(String name, Compaction.Input... generations) throws IOException {
        return Compaction.flush(List.of(generations), Generations.LANE, folder.resolve(name))
                .files();
    }

    @Test
    void aDocumentHasTheSignatureOfItsNewestGenerationAndLosesItWithThat() throws Exception {
        Compaction.Input old = signed(5, 1, 2, 3);
        Compaction.Input newer = signed(10, 4, 5, 6);
        Compaction.Files both = flush("both", newer, old);
        Compaction.Files apart = Compaction.merge(
                        List.of(flush("new", newer), flush("old", old)),
                        Retention.everything(),
                        Generations.LANE,
                        folder)
                .files();
        assertThat(signature(both)).isEqualTo(newer.answer().signature());
        assertThat(apart.segment()).hasSameBinaryContentAs(both.segment());
        Retention forgetNewer = new Retention(Long.MIN_VALUE, Long.MAX_VALUE, newer.entry()::equals);
        Compaction.Files rest = Compaction.merge(List.of(both), forgetNewer, Generations.LANE, folder)
                .files();
        assertThat(signature(rest)).isEqualTo(PromptSignature.NONE);
        Retention forgetOld = new Retention(Long.MIN_VALUE, Long.MAX_VALUE, old.entry()::equals);
        Compaction.Files kept = Compaction.merge(List.of(both), forgetOld, Generations.LANE, folder)
                .files();
        assertThat(signature(kept)).isEqualTo(newer.answer().signature());
    }

    @Test
    void itIsKnownWhichTokensOfTheNewestGenerationWereCopied() throws Exception {
        Compaction.Input old = signed(5, 1, 2, 3);
        Compaction.Input newer = signed(10, 4, 8, 6);
        Compaction.Input unknown = unsigned(signed(20, 1));
        Compaction.Files merged = Compaction.merge(
                        List.of(flush("new", newer), flush("old", old)),
                        Retention.everything(),
                        Generations.LANE,
                        folder)
                .files();
        assertThat(copied(merged)).isEqualTo(BitSet.valueOf(new long[] {2}));
        assertThat(copied(flush("unknown", old, unknown))).isNull();
    }

    private static BitSet copied(Compaction.Files files) throws IOException {
        try (Segment segment = Segment.openVerified(files.segment(), Generations.LANE)) {
            return segment.answer(0).copied();
        }
    }

    @Test
    void aSegmentWithoutSignaturesAndCopiesHasNoRoomForThem() throws Exception {
        Compaction.Files without = flush("without", unsigned(signed(5, 1, 2, 3)));
        Compaction.Files with = flush("with", signed(5, 1, 2, 3));
        assertThat(Files.size(with.segment()) - Files.size(without.segment()))
                .isEqualTo(PromptSignature.BYTES_MAX + SegmentFormat.ALIGNMENT);
    }

    private static Compaction.Input signed(long completedAtMillis, int... prompt) {
        RememberedAnswer answer = RememberedAnswer.of(prompt, 0, new int[] {7, 8});
        return new Compaction.Input(new GenerationEntry(1, completedAtMillis, "p", completedAtMillis), answer);
    }

    private static PromptSignature signature(Compaction.Files files) throws IOException {
        try (Segment segment = Segment.openVerified(files.segment(), Generations.LANE)) {
            assertThat(segment.documents()).isEqualTo(1);
            return segment.answer(0).signature();
        }
    }

    @Test
    void failedPublicationLeavesNoFiles() throws Exception {
        Compaction.Files once = flush("probe", Generations.generation(1, 1, 2));
        Path target = folder.resolve("target");
        Path obstacle = target.resolve(once.segment().getFileName());
        Files.createDirectories(obstacle.resolve("in-the-way"));
        assertThatThrownBy(() -> flush("target", Generations.generation(1, 1, 2)))
                .isInstanceOf(IOException.class);
        try (Stream<Path> left = Files.list(target)) {
            assertThat(left).containsExactly(obstacle);
        }
    }

    /** As where its disk fails below a file that is mapped, or gives other bytes than it was given. */
    @Test
    void anInputThatCannotBeReadAnyMoreIsRefused() throws Exception {
        Compaction.Files input = Compaction.flush(
                        Generations.of(new RandomDocuments(1, 40, 60).documents(200, 40), new Random(1)),
                        Generations.LANE,
                        folder)
                .files();
        Retention cuts = new Retention(Long.MIN_VALUE, Long.MAX_VALUE, generation -> {
            truncate(input.segment());
            return false;
        });
        assertThatThrownBy(() -> Compaction.merge(List.of(input), cuts, Generations.LANE, folder.resolve("merged")))
                .isInstanceOf(CorruptSegmentException.class)
                .hasMessageContainingAll(input.segment().toString(), "not what was written");
    }

    private static void truncate(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void sidecarOfAnotherSegmentIsRefused() throws Exception {
        Compaction.Files one = flush("one", Generations.generation(1, 1, 2));
        Compaction.Files two = flush("two", Generations.generation(1, 1, 3));
        Compaction.Files mixed = new Compaction.Files(one.segment(), two.sidecar());
        assertThatThrownBy(() -> Compaction.merge(List.of(mixed), Retention.everything(), Generations.LANE, folder))
                .isInstanceOf(CorruptSegmentException.class)
                .hasMessageContaining("sidecar");
    }
}
