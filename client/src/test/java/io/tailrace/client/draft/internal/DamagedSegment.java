package io.tailrace.client.draft.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tailrace.client.draft.DraftSource;
import io.tailrace.client.follow.internal.LiveSnapshot;
import io.tailrace.client.follow.internal.LoadedSnapshot;
import io.tailrace.suffix.LaneIndex;
import io.tailrace.suffix.PromptSignature;
import io.tailrace.suffix.RememberedAnswer;
import io.tailrace.suffix.draft.Draft;
import io.tailrace.suffix.draft.DraftPolicy;
import io.tailrace.suffix.draft.SourceKind;
import io.tailrace.suffix.segment.Compaction;
import io.tailrace.suffix.segment.FreshIndex;
import io.tailrace.suffix.segment.GenerationEntry;
import io.tailrace.suffix.segment.Segment;
import io.tailrace.suffix.segment.SegmentIdentity;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A lane whose segment was damaged or truncated on the disk after it had been verified, for tests. */
public final class DamagedSegment {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity("m@1/s", 1_000, "tok");

    /** The more of them, the more of what reads has been compiled. */
    private static final int TRUNCATIONS = 30;

    private DamagedSegment() {}

    /** What happens to a file. */
    private interface Damage {
        void befalls(Path file) throws IOException;
    }

    /** What a draft throws would end the decode thread, for all requests: sources of such a lane draft from its own answers only. */
    public static void costsItsDraftsAndNothingElse(Path folder, List<Function<LiveSnapshot, DraftSource>> sources)
            throws IOException {
        for (Function<LiveSnapshot, DraftSource> source : sources) {
            costsItsDrafts(folder, source, DamagedSegment::damageOrder);
            costsItsDrafts(folder, source, file -> rotToken(file, 4));
            for (int round = 0; round < TRUNCATIONS; round++) {
                costsItsDrafts(folder, source, DamagedSegment::truncate);
            }
        }
    }

    /**
     * The same of what is known of prompts: with the first request that is like one of them. Only a source that looks such requests up can notice.
     */
    public static void ofPromptsCostsItsDraftsAndNothingElse(Path folder, Function<LiveSnapshot, DraftSource> of)
            throws IOException {
        int[] prompt = prompt(0);
        List<Compaction.Input> answers = IntStream.range(0, 50)
                .mapToObj(i -> new Compaction.Input(new GenerationEntry(1, i, "p", 1_000), answer(i)))
                .toList();
        Path file = Compaction.flush(answers, IDENTITY, folder).files().segment();
        try (Segment segment = Segment.openVerified(file, IDENTITY)) {
            LiveSnapshot live = new LiveSnapshot(
                    new LoadedSnapshot(1, DraftPolicy.defaults(), new LaneIndex(List.of(), segment, null), () -> {}));
            try (DraftSource source = of.apply(live)) {
                try (OneRequest before = new OneRequest(source, "s", prompt)) {
                    assertThat(before.draft(16).size()).isPositive();
                    before.verified(3);
                }
                rotTails(file);
                try (OneRequest after = new OneRequest(source, "s", prompt)) {
                    assertThat(after.draft(16).size()).isZero();
                    after.verified(3);
                }
                assertThat(live.version()).isZero();
            }
        }
    }

    private static int[] prompt(int number) {
        return IntStream.range(0, 100)
                .map(i -> 10 + (number * 31 + i * 17) % 900)
                .toArray();
    }

    private static RememberedAnswer answer(int number) {
        int[] prompt = prompt(number);
        int[] tokens = IntStream.range(0, 20).map(i -> (number + i * 7) % 1_000).toArray();
        return new RememberedAnswer(Arrays.copyOfRange(prompt, 97, 100), tokens, null, PromptSignature.of(prompt));
    }

    private static void costsItsDrafts(Path folder, Function<LiveSnapshot, DraftSource> of, Damage damage)
            throws IOException {
        Path file = segmentFile(folder);
        FreshIndex own = FreshIndex.of(List.of(new int[] {1, 2, 3, 99, 98}));
        try (Segment segment = Segment.openVerified(file, IDENTITY)) {
            LiveSnapshot live = new LiveSnapshot(
                    new LoadedSnapshot(1, DraftPolicy.defaults(), new LaneIndex(List.of(), segment, own), () -> {}));
            try (DraftSource source = of.apply(live);
                    OneRequest running = new OneRequest(source, "s", new int[] {1, 2, 3})) {
                for (int step = 0; step < 20; step++) {
                    assertThat(sources(running.draft(16)).anyMatch(kind -> kind == SourceKind.NEWEST))
                            .as(source.strategy())
                            .isTrue();
                    running.verified((4 + step) % 7);
                }
                damage.befalls(file);
                assertThat(sources(running.draft(16)))
                        .as("a request that was running, %s", source.strategy())
                        .doesNotContain(SourceKind.NEWEST);
                running.verified(3);
                draftsFromOwnAnswersOnly(source);
                draftsFromOwnAnswersOnly(source);
                assertThat(live.version()).isZero();
            }
        }
        Files.delete(file);
    }

    private static Stream<SourceKind> sources(Draft draft) {
        return IntStream.range(0, draft.size()).mapToObj(draft::source);
    }

    private static void draftsFromOwnAnswersOnly(DraftSource source) {
        try (OneRequest drafting = new OneRequest(source, "s", new int[] {1, 2, 3})) {
            Draft draft = drafting.draft(16);
            assertThat(IntStream.range(0, draft.size()).map(draft::token).anyMatch(token -> token == 99))
                    .as(source.strategy())
                    .isTrue();
            assertThat(sources(draft)).as(source.strategy()).doesNotContain(SourceKind.NEWEST);
            drafting.verified(99, 5);
            assertThat(drafting.draft(0).size()).isZero();
        }
    }

    private static Path segmentFile(Path folder) throws IOException {
        int[] tokens = IntStream.range(0, 5_000).map(i -> i % 7).toArray();
        return Compaction.flush(
                        List.of(new Compaction.Input(new GenerationEntry(1, 2, "p", 1_000), tokens)), IDENTITY, folder)
                .files()
                .segment();
    }

    private static void truncate(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.setLength(0);
        }
    }

    /** The second byte of one of its tokens, wherever it is said: it is of no small vocabulary now. */
    public static void rotToken(Path file, int token) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int text = header.getInt(12);
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            for (int position = 0; position < header.getInt(32); position++) {
                if (header.getInt(text + 4 * position) == token) {
                    bytes.seek(text + 4L * position + 1);
                    bytes.write(0x40);
                }
            }
        }
    }

    /** The highest byte of each length of a tail: section 10, as the header's table of sections says. */
    private static void rotTails(Path file) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int entry = IntStream.range(0, header.getInt(72))
                .map(section -> 104 + 24 * section)
                .filter(at -> header.getInt(at) == 10)
                .findFirst()
                .orElseThrow();
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            for (int answer = 0; answer < header.getInt(28); answer++) {
                bytes.seek(header.getLong(entry + 8) + 4L * answer + 3);
                bytes.write(0x40);
            }
        }
    }

    /** The highest byte of each order entry. */
    private static void damageOrder(Path file) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int order = header.getInt(12) + (4 * header.getInt(32) + 63) / 64 * 64;
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            for (int entry = 0; entry < header.getInt(36); entry++) {
                bytes.seek(order + 4L * entry + 3);
                bytes.write(0x40);
            }
        }
    }
}
