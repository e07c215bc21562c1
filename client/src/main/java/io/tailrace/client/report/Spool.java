package io.tailrace.client.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of records in files that outlives the process.
 *
 * <p><b>Idea.</b> Records are appended to the newest file and read from the oldest; a file goes when all of it is sent, the
 * newest as well, since prompts stand in it. What was appended survives a kill of the process (the system has the bytes); a machine's crash
 * may cost the last seconds. A record that was half written is recognised by its checksum when the spool is opened again, and cut off with
 * all behind it.
 *
 * <p><b>Bound.</b> Above {@code bytesMax} the oldest file is dropped with what was not sent of it: what is newest is worth most.
 * {@link #droppedRecords} counts, the log says so.
 *
 * <p><b>Held apart.</b> Records that would hold up the others go into a spool of their own in a folder of this one ({@link #hold}), at most half of the
 * bound. All counts include them.
 *
 * <p>Any number of threads append; one reads.
 */
final class Spool implements AutoCloseable {
    /** Smallest bound that makes sense. */
    public static final long BYTES_MIN = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);
    private static final Pattern NAME = Pattern.compile("([0-9]{16})\\.spool");
    private static final String HELD = "held";
    private static final int FILES = 8;
    private static final long FILE_BYTES_MAX = 8 << 20;

    private final Path folder;
    private final long bytesMax;
    private final FileChannel lockFile;
    private final Deque<SpoolFile> files = new ArrayDeque<>();
    private SpoolFormat.Cursor cursor;
    private FileChannel writing;
    private long droppedRecords;
    /** Of a batch on its way whose file was dropped meanwhile: its records may have arrived, so they do not count as dropped yet. */
    private int undecided;

    private Batch onItsWay;
    private long lostBytes;
    private boolean closed;
    /** What is held apart; null while nothing ever was. */
    private Spool held;

    private Spool(Path folder, long bytesMax, FileChannel lockFile) {
        this.folder = folder;
        this.bytesMax = bytesMax;
        this.lockFile = lockFile;
    }

    /**
     * Opens a folder, which is made if it is not there, and takes up what an earlier process left.
     *
     * @param bytesMax bound of all files together, at least {@link #BYTES_MIN}
     * @throws IOException if it cannot be read or written, or another process has it
     */
    public static Spool open(Path folder, long bytesMax) throws IOException {
        if (bytesMax < BYTES_MIN) {
            throw new IllegalArgumentException(
                    "the spool's bound must be at least %d bytes, got %d".formatted(BYTES_MIN, bytesMax));
        }
        Spool spool = openAny(folder, bytesMax);
        try {
            if (Files.isDirectory(folder.resolve(HELD))) {
                spool.openHeld();
            }
            return spool;
        } catch (IOException | RuntimeException e) {
            spool.close();
            throw e;
        }
    }

    private static Spool openAny(Path folder, long bytesMax) throws IOException {
        Files.createDirectories(folder);
        FileChannel lockFile =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Spool spool = new Spool(folder, bytesMax, lockFile);
        try {
            spool.lock();
            spool.recover();
            return spool;
        } catch (IOException | RuntimeException e) {
            lockFile.close();
            throw e;
        }
    }

    /** Appends a record. */
    public synchronized void append(Entry spooled) throws IOException {
        if (closed) {
            throw new IOException("the spool " + folder + " is closed");
        }
        ByteBuffer encoded = SpoolFormat.encode(spooled);
        if (writing == null || files.getLast().bytes() + encoded.remaining() > fileBytesMax()) {
            roll();
        }
        try {
            files.getLast().append(writing, encoded);
        } catch (ClosedChannelException e) {
            // An interrupt of the appending thread closes the channel: the next record begins a file.
            writing = null;
            throw e;
        }
        keepBound();
        notifyAll();
    }

    /** The first records that are not sent, or null after waiting that long for one. */
    public synchronized Batch peek(int recordsMax, int batchBytesMax, long waitMillis)
            throws IOException, InterruptedException {
        long until = System.nanoTime() + waitMillis * 1_000_000;
        settle(0);
        while (true) {
            dropSentFiles();
            SpoolFile front = files.peekFirst();
            if (front != null && offset(front) < front.bytes()) {
                onItsWay = readOrSkip(front, recordsMax, batchBytesMax);
                return onItsWay;
            }
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return null;
            }
            wait(left);
        }
    }

    /** Appends a record of this spool to those that are held apart; {@link #advance} may pass it then. */
    synchronized void hold(Entry spooled) throws IOException {
        if (held == null) {
            openHeld();
        }
        held.append(spooled);
        keepBound();
    }

    private void openHeld() throws IOException {
        Path apart = folder.resolve(HELD);
        if (Files.isRegularFile(apart)) {
            Files.move(apart, folder.resolve(HELD + ".aside"), StandardCopyOption.REPLACE_EXISTING);
        }
        held = openAny(apart, bytesMax / 2);
    }

    /** Those that are held apart, in a spool that stays this one's; empty: there are none. */
    synchronized Optional<Spool> held() {
        return Optional.ofNullable(held).filter(apart -> apart.pendingRecords() > 0);
    }

    /** The first {@code count} records of a batch are sent, given up, or held apart: those are on disk before the others are passed for good. */
    public synchronized void advance(Batch batch, int count) throws IOException {
        if (held != null) {
            held.force();
        }
        SpoolFile front = files.peekFirst();
        settle(count);
        if (count == 0 || front == null || front.number() != batch.file()) {
            return;
        }
        front.sent(count);
        cursor = new SpoolFormat.Cursor(batch.file(), batch.ends().get(count - 1));
        cursor.write(folder);
        dropSentFiles();
    }

    private synchronized void force() throws IOException {
        if (writing != null && writing.isOpen()) {
            writing.force(false);
        }
    }

    /** Records that are not sent. */
    public synchronized long pendingRecords() {
        return files.stream().mapToLong(SpoolFile::unsentRecords).sum() + (held == null ? 0 : held.pendingRecords());
    }

    /** Bytes of all files. */
    public synchronized long bytes() {
        return files.stream().mapToLong(SpoolFile::bytes).sum() + (held == null ? 0 : held.bytes());
    }

    /** Records dropped unsent, to keep the bound or because their file was damaged. */
    public synchronized long droppedRecords() {
        return droppedRecords + (held == null ? 0 : held.droppedRecords());
    }

    /** Bytes of damaged ends of files that were cut off. */
    public synchronized long lostBytes() {
        return lostBytes + (held == null ? 0 : held.lostBytes());
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        notifyAll();
        try (lockFile) {
            try {
                closeWritten(true);
            } finally {
                if (held != null) {
                    held.close();
                }
            }
        }
    }

    private void lock() throws IOException {
        FileLock lock;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new IOException(
                    "another process uses the spool %s; give each a --name or a --spool of its own".formatted(folder));
        }
    }

    private void recover() throws IOException {
        cursor = SpoolFormat.Cursor.read(folder);
        List<Path> left;
        try (Stream<Path> all = Files.list(folder)) {
            left = all.filter(
                            path -> NAME.matcher(path.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
        for (Path path : left) {
            Matcher name = NAME.matcher(path.getFileName().toString());
            long number = name.matches() ? Long.parseLong(name.group(1)) : 0;
            if (number > SpoolFormat.Cursor.FILE_MAX) {
                LOG.warn("{} is no file of this spool, none gets that far; it is left alone", path);
                continue;
            }
            long sentTo = number < cursor.file() ? Long.MAX_VALUE : number == cursor.file() ? cursor.offset() : 0;
            files.addLast(SpoolFile.recover(path, number, sentTo));
            noteLoss(path, files.getLast().cutBytes());
        }
        dropSentFiles();
        if (pendingRecords() > 0) {
            LOG.info("spool {} takes up {} records of an earlier process", folder, pendingRecords());
        }
    }

    private void noteLoss(Path path, long bytes) {
        if (bytes > 0) {
            lostBytes += bytes;
            LOG.warn("{}: its last {} bytes are no intact record and were cut off", path, bytes);
        }
    }

    private long fileBytesMax() {
        return Math.min(FILE_BYTES_MAX, bytesMax / FILES);
    }

    private void roll() throws IOException {
        long number = files.isEmpty()
                ? Math.max(0, cursor.file() + 1)
                : files.getLast().number() + 1;
        closeWritten(false);
        SpoolFile next = SpoolFile.create(folder, number);
        writing = next.openToAppend();
        files.addLast(next);
    }

    /** Whatever becomes of it, the file is not written any further. */
    private void closeWritten(boolean metadata) throws IOException {
        try (FileChannel written = writing) {
            writing = null;
            if (written != null && written.isOpen()) {
                written.force(metadata);
            }
        }
    }

    private void keepBound() throws IOException {
        while (bytes() > bytesMax && files.size() > 1) {
            SpoolFile oldest = files.removeFirst();
            int held = onItsWay != null && onItsWay.file() == oldest.number() ? onItsWay.size() : 0;
            undecided += held;
            if (oldest.unsentRecords() > 0) {
                droppedRecords += oldest.unsentRecords() - held;
                LOG.warn(
                        "spool {} is full ({} bytes): {} oldest records dropped, {} in all",
                        folder,
                        bytesMax,
                        oldest.unsentRecords() - held,
                        droppedRecords);
            }
            oldest.delete();
        }
    }

    /** The batch on its way is back, with so many of its records sent: of a dropped file, the others are gone. */
    private void settle(int sent) {
        if (undecided > 0) {
            droppedRecords += undecided - sent;
        }
        undecided = 0;
        onItsWay = null;
    }

    /** Files go once all of them is sent; what is written next begins another. */
    private void dropSentFiles() throws IOException {
        while (!files.isEmpty() && offset(files.getFirst()) >= files.getFirst().bytes()) {
            if (files.size() == 1 && writing != null) {
                FileChannel written = writing;
                writing = null;
                written.close();
            }
            files.removeFirst().delete();
        }
    }

    private long offset(SpoolFile file) {
        long start = SpoolFormat.MAGIC.length;
        return file.number() == cursor.file()
                ? Math.max(start, cursor.offset())
                : file.number() < cursor.file() ? Long.MAX_VALUE : start;
    }

    /** A file that has been damaged since it was written is sent up to the damage and then given up, or nothing behind it would ever be sent. */
    private Batch readOrSkip(SpoolFile front, int recordsMax, int batchBytesMax) throws IOException {
        try {
            return front.read(offset(front), recordsMax, batchBytesMax);
        } catch (SpoolFormat.DamagedException e) {
            if (files.size() == 1) {
                roll();
            }
            files.removeFirst();
            droppedRecords += front.unsentRecords();
            LOG.warn("{}; its {} unsent records are dropped", e.getMessage(), front.unsentRecords());
            front.delete();
            return null;
        }
    }

    /**
     * A record on its way to a topic. The arrays are not copied.
     *
     * @param topic its full name
     * @param key of the record
     * @param value of the record
     */
    record Entry(String topic, byte[] key, byte[] value) {}

    /**
     * Entries at the front of a spool, in order.
     *
     * @param file number of the one file that they all come from
     * @param entries the entries
     * @param ends where in the file each ends
     */
    record Batch(long file, List<Entry> entries, List<Long> ends) {
        Batch {
            entries = List.copyOf(entries);
            ends = List.copyOf(ends);
        }

        int size() {
            return entries.size();
        }
    }
}
