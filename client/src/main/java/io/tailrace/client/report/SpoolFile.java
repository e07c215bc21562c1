package io.tailrace.client.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One file of a spool. Guarded by its spool. */
final class SpoolFile {
    private final long number;
    private final Path path;
    private long bytes;
    private long records;
    private long sentRecords;
    private long cutBytes;

    private SpoolFile(long number, Path path) {
        this.number = number;
        this.path = path;
    }

    /** A new, empty file, also in place of one that a full disk let be made but not begun. */
    static SpoolFile create(Path folder, long number) throws IOException {
        SpoolFile file = new SpoolFile(number, folder.resolve(String.format(Locale.ROOT, "%016d.spool", number)));
        Files.write(file.path, SpoolFormat.MAGIC);
        file.bytes = SpoolFormat.MAGIC.length;
        return file;
    }

    /**
     * A file that was left behind. What follows its last intact record is cut off.
     *
     * @param sentTo records that end here or before are sent
     */
    static SpoolFile recover(Path path, long number, long sentTo) throws IOException {
        SpoolFile file = new SpoolFile(number, path);
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(path));
        boolean ours = all.remaining() >= SpoolFormat.MAGIC.length
                && all.slice(0, SpoolFormat.MAGIC.length).equals(ByteBuffer.wrap(SpoolFormat.MAGIC));
        if (ours) {
            all.position(SpoolFormat.MAGIC.length);
            for (int size = SpoolFormat.intactBytes(all); size > 0; size = SpoolFormat.intactBytes(all)) {
                all.position(all.position() + size);
                file.records++;
                file.sentRecords += all.position() <= sentTo ? 1 : 0;
            }
        }
        file.bytes = all.position();
        file.cutBytes = all.remaining();
        if (file.cutBytes > 0) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(file.bytes);
            }
        }
        return file;
    }

    long number() {
        return number;
    }

    long bytes() {
        return bytes;
    }

    long unsentRecords() {
        return records - sentRecords;
    }

    long cutBytes() {
        return cutBytes;
    }

    void append(FileChannel channel, ByteBuffer encoded) throws IOException {
        long end = bytes + encoded.remaining();
        while (encoded.hasRemaining()) {
            channel.write(encoded, end - encoded.remaining());
        }
        bytes = end;
        records++;
    }

    FileChannel openToAppend() throws IOException {
        return FileChannel.open(path, StandardOpenOption.WRITE);
    }

    void sent(long count) {
        sentRecords += count;
    }

    void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    /**
     * Records from an offset on, at most so many and so many bytes, at least one if there is one; none behind one that is damaged.
     *
     * @throws SpoolFormat.DamagedException if the first is not what was written
     */
    Spool.Batch read(long from, int recordsMax, int bytesMax) throws IOException {
        List<Spool.Entry> found = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long at = from;
            long limit = from + bytesMax;
            while (at < bytes && found.size() < recordsMax && (found.isEmpty() || at < limit)) {
                ByteBuffer encoded = readRecord(channel, at);
                at += encoded.remaining();
                found.add(SpoolFormat.decode(encoded));
                ends.add(at);
            }
        } catch (NoSuchFileException e) {
            throw new SpoolFormat.DamagedException("%s is gone since it was written".formatted(path));
        } catch (SpoolFormat.DamagedException e) {
            if (found.isEmpty()) {
                throw e;
            }
        }
        return new Spool.Batch(number, found, ends);
    }

    private ByteBuffer readRecord(FileChannel channel, long at) throws IOException {
        ByteBuffer prefix = readFully(channel, at, SpoolFormat.PREFIX_BYTES);
        int payload = prefix.getInt(0);
        if (payload < 4 || payload > bytes - at - SpoolFormat.PREFIX_BYTES) {
            throw damaged(at);
        }
        ByteBuffer encoded = readFully(channel, at, SpoolFormat.PREFIX_BYTES + payload);
        if (SpoolFormat.intactBytes(encoded) < 0) {
            throw damaged(at);
        }
        return encoded;
    }

    private SpoolFormat.DamagedException damaged(long at) {
        return new SpoolFormat.DamagedException(
                "%s is damaged at byte %d of %d since it was written".formatted(path, at, bytes));
    }

    private static ByteBuffer readFully(FileChannel channel, long at, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            if (channel.read(into, at + into.position()) < 0) {
                throw new SpoolFormat.DamagedException("a spool file ends at byte %d, expected %d bytes more"
                        .formatted(at + into.position(), into.remaining()));
            }
        }
        return into.flip();
    }
}
