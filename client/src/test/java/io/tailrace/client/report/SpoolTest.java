package io.tailrace.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tailrace.testkit.ForeignDigits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    @TempDir
    private Path folder;

    /** Appends, reads, advances and reopens at random; a list says what must come. */
    @Test
    void givesEveryRecordOnceAndInOrderAcrossRestarts() throws Exception {
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Path each = folder.resolve("s" + seed);
            List<Spool.Entry> expected = new ArrayList<>();
            Spool spool = Spool.open(each, 1 << 20);
            for (int action = 0; action < 60; action++) {
                switch (random.nextInt(6)) {
                    case 0, 1, 2 -> {
                        Spool.Entry added = random(random);
                        spool.append(added);
                        expected.add(added);
                    }
                    case 3, 4 -> read(spool, expected, random, "seed %d, action %d".formatted(seed, action));
                    default -> {
                        spool.close();
                        spool = Spool.open(each, 1 << 20);
                    }
                }
                assertThat(spool.pendingRecords())
                        .as("seed %d, action %d", seed, action)
                        .isEqualTo(expected.size());
            }
            spool.close();
        }
    }

    /** A spool may be written on one machine and sent from another. */
    @Test
    void aSpoolIsFoundAgainWhateverDigitsTheMachineWrites() throws Exception {
        Spool.Entry entry = new Spool.Entry("topic", new byte[] {1}, new byte[] {2});
        ForeignDigits.there(() -> {
            try (Spool spool = Spool.open(folder, 1 << 20)) {
                spool.append(entry);
                return entry;
            }
        });
        try (Spool spool = Spool.open(folder, 1 << 20)) {
            assertThat(spool.pendingRecords()).isEqualTo(1);
        }
    }

    @Test
    void aTailThatWasHalfWrittenIsCutAndTheRestIsThere() throws Exception {
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Path each = folder.resolve("t" + seed);
            List<Spool.Entry> written = new ArrayList<>();
            List<Long> ends = new ArrayList<>();
            try (Spool spool = Spool.open(each, 1 << 20)) {
                for (int i = 0; i < 10; i++) {
                    written.add(random(random));
                    spool.append(written.get(i));
                    ends.add(Files.size(file(each)));
                }
            }
            long cut = damage(file(each), random);
            try (Spool spool = Spool.open(each, 1 << 20)) {
                long intact = ends.stream().filter(end -> end <= cut).count();
                assertThat(spool.pendingRecords()).as("seed %d", seed).isEqualTo(intact);
                for (int i = 0; i < intact; i++) {
                    assertSame(next(spool), written.get(i));
                }
                spool.append(written.get(0));
                assertSame(next(spool), written.get(0));
            }
        }
    }

    /** Whoever wrote it made its checksum right: it must not be in the way of those behind it for ever. */
    @Test
    void aRecordWhoseKeyIsLongerThanItselfIsCut() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        try (Spool spool = Spool.open(folder, 1 << 20)) {
            spool.append(random(random));
        }
        for (int keyBytes : new int[] {4, 0xFFFF}) {
            ByteBuffer record = SpoolFormat.encode(new Spool.Entry("t", new byte[1], new byte[2]));
            record.putShort(SpoolFormat.PREFIX_BYTES + 3, (short) keyBytes);
            CRC32C checksum = new CRC32C();
            checksum.update(record.slice(SpoolFormat.PREFIX_BYTES, record.limit() - SpoolFormat.PREFIX_BYTES));
            record.putInt(4, (int) checksum.getValue());
            try (FileChannel channel = FileChannel.open(file(folder), StandardOpenOption.APPEND)) {
                channel.write(record);
            }
            try (Spool spool = Spool.open(folder, 1 << 20)) {
                assertThat(spool.pendingRecords()).isEqualTo(1);
                assertThat(spool.lostBytes()).isEqualTo(record.limit());
                assertThat(spool.peek(10, 1 << 20, 0).size()).isEqualTo(1);
            }
        }
    }

    @Test
    void aboveItsBoundTheOldestGoAndAreCounted() throws Exception {
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            byte[] value = new byte[1_000];
            for (int i = 0; i < 500; i++) {
                value[0] = (byte) i;
                spool.append(new Spool.Entry("t", new byte[0], value.clone()));
            }
            assertThat(spool.bytes()).isLessThanOrEqualTo(Spool.BYTES_MIN).isEqualTo(bytesOnDisk());
            assertThat(spool.droppedRecords() + spool.pendingRecords()).isEqualTo(500);
            assertThat(spool.droppedRecords()).isPositive();
            assertThat(next(spool).value()[0]).isEqualTo((byte) spool.droppedRecords());
        }
    }

    /** A batch that was on its way when its file was dropped has arrived after all. */
    @Test
    void recordsSentWhileTheirFileIsDroppedAreNotCountedAsDropped() throws Exception {
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            byte[] value = new byte[1_000];
            Spool.Batch onItsWay = null;
            for (int i = 0; i < 500; i++) {
                spool.append(new Spool.Entry("t", new byte[0], value));
                onItsWay = i == 0 ? spool.peek(1, 1_000_000, 0) : onItsWay;
            }
            long dropped = spool.droppedRecords();
            spool.advance(onItsWay, 1);
            assertThat(spool.droppedRecords()).as("a counter never falls").isEqualTo(dropped);
            assertThat(1 + spool.droppedRecords() + spool.pendingRecords()).isEqualTo(500);
        }
    }

    @Test
    void recordsThatDidNotArriveAndWhoseFileIsGoneAreCountedAsDropped() throws Exception {
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            Spool.Batch onItsWay = null;
            for (int i = 0; i < 500; i++) {
                spool.append(new Spool.Entry("t", new byte[0], new byte[1_000]));
                onItsWay = i == 4 ? spool.peek(5, 1_000_000, 0) : onItsWay;
            }
            spool.advance(onItsWay, 2);
            assertThat(2 + spool.droppedRecords() + spool.pendingRecords()).isEqualTo(500);
            assertThat(spool.peek(1, 1_000_000, 0)).isNotNull();
            assertThat(2 + spool.droppedRecords() + spool.pendingRecords()).isEqualTo(500);
        }
    }

    @Test
    void aFileDamagedWhileItWaitsIsGivenUpAndLaterOnesAreSent() throws Exception {
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            byte[] value = new byte[3_000];
            for (int i = 0; i < 4; i++) {
                spool.append(new Spool.Entry("t", new byte[0], value));
            }
            flip(file(folder), 100);
            assertThat(spool.peek(1, 1_000_000, 0)).isNull();
            assertThat(spool.droppedRecords()).isPositive();
            assertThat(spool.droppedRecords() + spool.pendingRecords()).isEqualTo(4);
            assertThat(bytesOnDisk()).as("prompts stand in it").isEqualTo(spool.bytes());
        }
    }

    /** Whichever byte is damaged, and wherever the file is cut: the records before it are sent, the others are counted. */
    @Test
    void whatComesBeforeTheDamageOfAWaitingFileIsSent() throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        for (boolean cut : new boolean[] {false, true}) {
            long bytes = 9;
            for (int at = 8; at < bytes; at++) {
                List<Spool.Entry> written = new ArrayList<>();
                List<Long> ends = new ArrayList<>();
                Path each = folder.resolve("d" + cut + at);
                try (Spool spool = Spool.open(each, 1 << 20)) {
                    for (int i = 0; i < 6; i++) {
                        written.add(new Spool.Entry("t", new byte[] {1}, new byte[] {(byte) i, 2, 3}));
                        spool.append(written.get(i));
                        ends.add(spool.bytes());
                    }
                    bytes = spool.bytes();
                    int sentBefore = random.nextInt(3);
                    for (int i = 0; i < sentBefore; i++) {
                        assertSame(next(spool), written.get(i));
                    }
                    damage(file(each), at, cut);
                    boolean inWhatIsSent = !cut && sentBefore > 0 && at < ends.get(sentBefore - 1);
                    int damagedAt = inWhatIsSent ? Integer.MAX_VALUE : at;
                    List<Spool.Entry> waiting = written.subList(sentBefore, 6);
                    long intact = ends.subList(sentBefore, 6).stream()
                            .filter(end -> end <= damagedAt)
                            .count();
                    checkRest(spool, waiting, (int) intact, 1 + random.nextInt(8));
                }
            }
        }
    }

    /** Of the records that wait so many are sent, and the others counted; what comes then is sent as always. */
    private static void checkRest(Spool spool, List<Spool.Entry> waiting, int intact, int recordsMax) throws Exception {
        int sent = 0;
        for (int i = 0; i < 10 && spool.pendingRecords() > 0; i++) {
            Spool.Batch batch = spool.peek(recordsMax, 1 << 20, 0);
            for (int k = 0; batch != null && k < batch.size(); k++) {
                assertSame(batch.entries().get(k), waiting.get(sent++));
            }
            if (batch != null) {
                spool.advance(batch, batch.size());
            }
        }
        assertThat(sent).isEqualTo(intact);
        assertThat(spool.droppedRecords()).isEqualTo(waiting.size() - intact);
        assertThat(spool.pendingRecords()).isZero();
        spool.append(waiting.get(0));
        assertSame(next(spool), waiting.get(0));
    }

    /** A sender is interrupted once its time to drain is over. */
    @Test
    void aReaderThatIsInterruptedLosesNothing() throws Exception {
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            for (int i = 0; i < 20; i++) {
                spool.append(new Spool.Entry("t", new byte[0], new byte[2_000]));
            }
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> spool.peek(500, 1 << 20, 0)).isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(spool.pendingRecords()).isEqualTo(20);
            assertThat(spool.droppedRecords()).isZero();
            assertThat(spool.peek(500, 1 << 20, 0).size()).isPositive();
        }
    }

    @Test
    void anAppendThatWasInterruptedSpoilsNoLaterOne() throws Exception {
        Spool.Entry spooled = new Spool.Entry("t", new byte[] {1}, new byte[] {2});
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            spool.append(spooled);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> spool.append(spooled)).isInstanceOf(IOException.class);
            assertThat(Thread.interrupted()).isTrue();
            spool.append(spooled);
            assertSame(next(spool), spooled);
            assertSame(next(spool), spooled);
            assertThat(spool.pendingRecords()).isZero();
        }
    }

    /** A full disk can let a file be made and refuse its first bytes. */
    @Test
    void aFileThatWasMadeButNotBegunIsBegunAgain() throws Exception {
        Spool.Entry spooled = new Spool.Entry("t", new byte[] {1}, new byte[] {2});
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            Files.createFile(folder.resolve("0000000000000000.spool"));
            spool.append(spooled);
            assertSame(next(spool), spooled);
        }
    }

    /** Prompts stand in it. */
    @Test
    void whatIsSentIsNotOnTheDiskAnyLonger() throws Exception {
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            for (byte i = 0; i < 3; i++) {
                spool.append(new Spool.Entry("t", new byte[] {1}, new byte[] {i}));
                assertThat(next(spool).value()).isEqualTo(new byte[] {i});
                try (Stream<Path> files = Files.list(folder)) {
                    assertThat(files.map(file -> file.getFileName().toString()))
                            .containsExactlyInAnyOrder("cursor", "lock");
                }
            }
        }
    }

    /** Behind it the next file's name would have a digit more than all others. */
    @Test
    void aFileThatNoSpoolCouldHaveWrittenIsLeftAlone() throws Exception {
        Spool.Entry entry = new Spool.Entry("t", new byte[] {1}, new byte[] {2});
        try (Spool spool = Spool.open(folder, 1 << 20)) {
            spool.append(entry);
        }
        Path stranger = Files.writeString(folder.resolve("9999999999999999.spool"), "junk");
        try (Spool spool = Spool.open(folder, 1 << 20)) {
            spool.append(entry);
        }
        try (Spool spool = Spool.open(folder, 1 << 20)) {
            assertThat(spool.pendingRecords()).isEqualTo(2);
        }
        assertThat(stranger).hasContent("junk");
    }

    @Test
    void aFileThatIsGoneIsGivenUp() throws Exception {
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            spool.append(new Spool.Entry("t", new byte[] {1}, new byte[] {2}));
            Files.delete(file(folder));
            assertThat(spool.peek(1, 1_000_000, 0)).isNull();
            assertThat(spool.droppedRecords()).isEqualTo(1);
            spool.append(new Spool.Entry("t", new byte[] {1}, new byte[] {3}));
            assertThat(next(spool).value()).isEqualTo(new byte[] {3});
        }
    }

    @Test
    void aFolderBelongsToOneWorker() throws IOException {
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            assertThat(spool.bytes()).isZero();
            assertThatThrownBy(() -> Spool.open(folder, Spool.BYTES_MIN)).hasMessageContaining("another process uses");
        }
        Spool.open(folder, Spool.BYTES_MIN).close();
    }

    @Test
    void aDamagedCursorMeansThatEverythingIsSentAgain() throws Exception {
        Spool.Entry spooled = new Spool.Entry("t", new byte[] {1}, new byte[] {2});
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            spool.append(spooled);
            spool.append(spooled);
            Spool.Batch batch = spool.peek(1, 1_000, 0);
            spool.advance(batch, 1);
        }
        flip(folder.resolve("cursor"), 9);
        try (Spool spool = Spool.open(folder, Spool.BYTES_MIN)) {
            assertThat(spool.pendingRecords()).isEqualTo(2);
        }
    }

    private static void read(Spool spool, List<Spool.Entry> expected, SplittableRandom random, String what)
            throws IOException, InterruptedException {
        Spool.Batch batch = spool.peek(1 + random.nextInt(8), 1 + random.nextInt(2_000), 0);
        if (expected.isEmpty()) {
            assertThat(batch).as(what).isNull();
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            assertSame(batch.entries().get(i), expected.get(i));
        }
        int sent = random.nextInt(batch.size() + 1);
        spool.advance(batch, sent);
        expected.subList(0, sent).clear();
    }

    private static Spool.Entry next(Spool spool) throws IOException, InterruptedException {
        Spool.Batch batch = spool.peek(1, 1, 0);
        spool.advance(batch, 1);
        return batch.entries().get(0);
    }

    private static void assertSame(Spool.Entry one, Spool.Entry other) {
        assertThat(one.topic()).isEqualTo(other.topic());
        assertThat(one.key()).isEqualTo(other.key());
        assertThat(one.value()).isEqualTo(other.value());
    }

    private static Spool.Entry random(SplittableRandom random) {
        byte[] key = new byte[random.nextInt(40)];
        byte[] value = new byte[random.nextInt(10) == 0 ? 20_000 : random.nextInt(300)];
        random.nextBytes(key);
        random.nextBytes(value);
        return new Spool.Entry("topic-" + random.nextInt(3), key, value);
    }

    private long bytesOnDisk() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> path.toString().endsWith(".spool"))
                    .mapToLong(path -> path.toFile().length())
                    .sum();
        }
    }

    private static Path file(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> path.toString().endsWith(".spool"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Cuts the file, or flips a byte; returns up to where it is intact. */
    private static long damage(Path file, SplittableRandom random) throws IOException {
        long at = 8 + random.nextLong(Files.size(file) - 8);
        damage(file, at, !random.nextBoolean());
        return at;
    }

    private static void damage(Path file, long at, boolean cut) throws IOException {
        if (cut) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(at);
            }
        } else {
            flip(file, at);
        }
    }

    private static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 0x10;
        Files.write(file, bytes);
    }
}
