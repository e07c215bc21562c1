package io.tailrace.suffix.segment;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * The sidecar file, version 1: layout, writer and reader.
 *
 * <pre>
 * little-endian, no gaps
 *   0  8  magic "TRSIDECR"
 *   8  4  format version, 1
 *  12  8  length of the file
 *  20 32  SHA-256 of the segment file
 *  52  4  documents
 *  56  4  producers
 *  60     producers, ascending: 4 length in bytes, then UTF-8
 *         documents: 4 number of entries, then for each entry
 *              8 request hash, first half    8 second half    8 completion time, epoch milliseconds    4 producer, from 0
 *  end-4  CRC32C of everything before
 * </pre>
 */
final class SidecarFormat {
    static final int VERSION = 1;
    static final int PRODUCER_BYTES_MAX = 1 << 16;

    private static final byte[] MAGIC = "TRSIDECR".getBytes(StandardCharsets.US_ASCII);
    private static final int AT_VERSION = MAGIC.length;
    private static final int AT_FILE_BYTES = AT_VERSION + Integer.BYTES;
    private static final int AT_SHA = AT_FILE_BYTES + Long.BYTES;
    private static final int SHA_BYTES = 32;
    private static final int AT_DOCUMENTS = AT_SHA + SHA_BYTES;
    private static final int AT_PRODUCERS = AT_DOCUMENTS + Integer.BYTES;
    private static final int HEADER_BYTES = AT_PRODUCERS + Integer.BYTES;
    static final int ENTRY_BYTES = 3 * Long.BYTES + Integer.BYTES;
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    private SidecarFormat() {}

    static void write(Sidecar sidecar, Path file) throws IOException {
        Map<String, Integer> producers = producers(sidecar.entries());
        CRC32C crc = new CRC32C();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            OutputStream out =
                    new BufferedOutputStream(new CheckedOutputStream(Channels.newOutputStream(channel), crc));
            out.write(header(sidecar, producers));
            for (String producer : producers.keySet()) {
                byte[] name = producer.getBytes(StandardCharsets.UTF_8);
                out.write(bytes(buffer(Integer.BYTES).putInt(name.length)));
                out.write(name);
            }
            for (List<GenerationEntry> entries : sidecar.entries()) {
                out.write(document(entries, producers));
            }
            out.flush();
            int checksum = (int) crc.getValue();
            out.write(bytes(buffer(CHECKSUM_BYTES).putInt(checksum)));
            out.flush();
        }
    }

    private static Map<String, Integer> producers(List<List<GenerationEntry>> ofDocuments) {
        TreeSet<String> names = new TreeSet<>();
        ofDocuments.forEach(entries -> entries.forEach(entry -> names.add(entry.producer())));
        Map<String, Integer> producers = new LinkedHashMap<>();
        for (String name : names) {
            int bytes = name.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > PRODUCER_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "producer must be at most " + PRODUCER_BYTES_MAX + " bytes of UTF-8, got " + bytes);
            }
            producers.put(name, producers.size());
        }
        return producers;
    }

    /** Length of the file of such entries. */
    static long fileBytes(List<List<GenerationEntry>> ofDocuments) {
        return fileBytes(ofDocuments, producers(ofDocuments));
    }

    private static long fileBytes(List<List<GenerationEntry>> ofDocuments, Map<String, Integer> producers) {
        long fileBytes = (long) HEADER_BYTES + CHECKSUM_BYTES;
        for (String producer : producers.keySet()) {
            fileBytes += Integer.BYTES + producer.getBytes(StandardCharsets.UTF_8).length;
        }
        for (List<GenerationEntry> entries : ofDocuments) {
            fileBytes += Integer.BYTES + (long) ENTRY_BYTES * entries.size();
        }
        return fileBytes;
    }

    static SidecarSize size(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            ByteBuffer producers = buffer(Integer.BYTES);
            int read = channel.read(producers, AT_PRODUCERS);
            SegmentFormat.requireEqual(path, AT_PRODUCERS, "bytes", Integer.BYTES, read);
            return new SidecarSize(channel.size(), producers.getInt(0));
        }
    }

    private static byte[] header(Sidecar sidecar, Map<String, Integer> producers) {
        ByteBuffer out = buffer(HEADER_BYTES).put(MAGIC).putInt(VERSION);
        out.putLong(fileBytes(sidecar.entries(), producers));
        out.put(HexFormat.of().parseHex(sidecar.segmentSha256()));
        out.putInt(sidecar.entries().size()).putInt(producers.size());
        return bytes(out);
    }

    private static byte[] document(List<GenerationEntry> entries, Map<String, Integer> producers) {
        ByteBuffer out = buffer(Integer.BYTES + ENTRY_BYTES * entries.size()).putInt(entries.size());
        for (GenerationEntry entry : entries) {
            out.putLong(entry.requestHigh()).putLong(entry.requestLow());
            out.putLong(entry.completedAtMillis()).putInt(producers.get(entry.producer()));
        }
        return bytes(out);
    }

    static Sidecar read(Path path) throws IOException {
        try (MappedFile file = MappedFile.open(path)) {
            ByteBuffer bytes = file.bytes();
            int size = file.size();
            int sizeMin = HEADER_BYTES + CHECKSUM_BYTES;
            SegmentFormat.require(path, 0, "file length", "at least " + sizeMin, size, size >= sizeMin);
            byte[] magic = new byte[MAGIC.length];
            bytes.get(0, magic);
            SegmentFormat.requireEqual(path, 0, "magic", text(MAGIC), text(magic));
            SegmentFormat.requireEqual(path, AT_VERSION, "format version", VERSION, bytes.getInt(AT_VERSION));
            SegmentFormat.requireEqual(path, AT_FILE_BYTES, "file length", size, bytes.getLong(AT_FILE_BYTES));
            int checksumAt = size - CHECKSUM_BYTES;
            String expected = SegmentFormat.hex(bytes.getInt(checksumAt));
            String got = SegmentFormat.hex(SegmentFormat.crc(bytes.slice(0, checksumAt)));
            SegmentFormat.requireEqual(path, checksumAt, "checksum", expected, got);
            return decode(path, bytes.slice(0, checksumAt).order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    private static Sidecar decode(Path path, ByteBuffer in) throws CorruptSegmentException {
        byte[] sha256 = new byte[SHA_BYTES];
        in.get(AT_SHA, sha256);
        in.position(HEADER_BYTES);
        String[] producers = new String[count(path, in, in.getInt(AT_PRODUCERS), Integer.BYTES)];
        for (int i = 0; i < producers.length; i++) {
            byte[] name = new byte[count(path, in, next(path, in), 1)];
            in.get(name);
            producers[i] = new String(name, StandardCharsets.UTF_8);
        }
        int documents = count(path, in, in.getInt(AT_DOCUMENTS), Integer.BYTES);
        List<List<GenerationEntry>> entries = new ArrayList<>(documents);
        for (int i = 0; i < documents; i++) {
            entries.add(decodeDocument(path, in, producers));
        }
        SegmentFormat.requireEqual(path, in.position(), "bytes behind the last document", 0, in.remaining());
        return new Sidecar(SegmentFormat.hex(sha256), entries);
    }

    private static List<GenerationEntry> decodeDocument(Path path, ByteBuffer in, String[] producers)
            throws CorruptSegmentException {
        int count = count(path, in, next(path, in), ENTRY_BYTES);
        List<GenerationEntry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long high = in.getLong();
            long low = in.getLong();
            long completedAtMillis = in.getLong();
            int producer = in.getInt();
            boolean known = producer >= 0 && producer < producers.length;
            SegmentFormat.require(path, in.position(), "producer", "0 to " + (producers.length - 1), producer, known);
            entries.add(new GenerationEntry(high, low, producers[producer], completedAtMillis));
        }
        return List.copyOf(entries);
    }

    private static int next(Path path, ByteBuffer in) throws CorruptSegmentException {
        count(path, in, 1, Integer.BYTES);
        return in.getInt();
    }

    /** Checks that so many things of so many bytes may still come, before room is made for them. */
    private static int count(Path path, ByteBuffer in, int count, int bytesEach) throws CorruptSegmentException {
        int most = in.remaining() / bytesEach;
        SegmentFormat.require(path, in.position(), "count", "0 to " + most, count, count >= 0 && count <= most);
        return count;
    }

    private static String text(byte[] magic) {
        return new String(magic, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(ByteBuffer written) {
        byte[] bytes = new byte[written.position()];
        written.get(0, bytes);
        return bytes;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
