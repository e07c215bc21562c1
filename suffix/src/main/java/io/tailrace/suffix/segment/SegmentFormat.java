package io.tailrace.suffix.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Header and footer of a segment file, version 1: layout, writer and reader. {@code docs/reference/segment-format.md} is the
 * specification, with the sections' contents.
 *
 * <pre>
 * +--------+------+-------+------+-----+--------+   little-endian; each part starts at a multiple of 64,
 * | header | TEXT | ORDER | ENDS | ... | footer |   gaps are zero
 * +--------+------+-------+------+-----+--------+
 *
 * header                                            footer (64 bytes)
 *   0  8  magic "TRSEGMNT"                            0  8  length of the file
 *   8  4  format version, 1                           8 32  SHA-256 of everything before the footer
 *  12  4  header length                              40  4  CRC32C of the footer's first 40 bytes
 *  16  8  length of the file                         44 12  zero
 *  24  4  vocabulary size                            56  8  magic "TRSEGEND"
 *  28  4  documents
 *  32  4  text length                              section table entry (24 bytes)
 *  36  4  order entries                               0  4  section id, 1 to 14
 *  40  4  ends entries                                4  4  CRC32C of the section
 *  44  4  last-token table: shift                     8  8  offset
 *  48  4  last-token table: entries                  16  8  length in bytes, gap not counted
 *  52  4  1 if a document repeats, else 0
 *  56  8  live tokens
 *  64  8  newest completion time, epoch milliseconds
 *  72  4  section count, 14
 *  76  4  lane length in bytes
 *  80  4  tokenizer fingerprint length in bytes
 *  84  4  CRC32C of the header, these four bytes taken as zero
 *  88  4  1 if a document begins with a prompt's tail, else 0
 *  92  4  hidden entries
 *  96  4  1 if a document has a signature, else 0
 * 100  4  1 if it is known of a document which of its tokens are copied, else 0
 * 104 336 section table
 * 440     lane, tokenizer fingerprint (UTF-8), zeros to a multiple of 64
 * </pre>
 */
final class SegmentFormat {
    static final int VERSION = 1;
    static final int ALIGNMENT = 64;
    static final int FOOTER_BYTES = 64;

    private static final long MAGIC = littleEndian("TRSEGMNT");
    private static final long FOOTER_MAGIC = littleEndian("TRSEGEND");

    private static final int AT_VERSION = Long.BYTES;
    private static final int AT_HEADER_BYTES = AT_VERSION + Integer.BYTES;
    private static final int AT_FILE_BYTES = AT_HEADER_BYTES + Integer.BYTES;
    private static final int AT_VOCABULARY = AT_FILE_BYTES + Long.BYTES;
    private static final int AT_DOCUMENTS = AT_VOCABULARY + Integer.BYTES;
    private static final int AT_TEXT_LENGTH = AT_DOCUMENTS + Integer.BYTES;
    private static final int AT_ORDER_LENGTH = AT_TEXT_LENGTH + Integer.BYTES;
    private static final int AT_ENDS_LENGTH = AT_ORDER_LENGTH + Integer.BYTES;
    private static final int AT_TABLE_SHIFT = AT_ENDS_LENGTH + Integer.BYTES;
    private static final int AT_TABLE_LENGTH = AT_TABLE_SHIFT + Integer.BYTES;
    private static final int AT_REPEATS = AT_TABLE_LENGTH + Integer.BYTES;
    private static final int AT_LIVE_TOKENS = AT_REPEATS + Integer.BYTES;
    private static final int AT_NEWEST = AT_LIVE_TOKENS + Long.BYTES;
    private static final int AT_SECTIONS = AT_NEWEST + Long.BYTES;
    private static final int AT_LANE_BYTES = AT_SECTIONS + Integer.BYTES;
    private static final int AT_FINGERPRINT_BYTES = AT_LANE_BYTES + Integer.BYTES;
    private static final int AT_CHECKSUM = AT_FINGERPRINT_BYTES + Integer.BYTES;
    private static final int AT_TAILS = AT_CHECKSUM + Integer.BYTES;
    private static final int AT_HIDDEN_LENGTH = AT_TAILS + Integer.BYTES;
    private static final int AT_SIGNATURES = AT_HIDDEN_LENGTH + Integer.BYTES;
    private static final int AT_COPIES = AT_SIGNATURES + Integer.BYTES;
    static final int AT_TABLE = AT_COPIES + Integer.BYTES;

    private static final int ENTRY_CHECKSUM = Integer.BYTES;
    private static final int ENTRY_OFFSET = ENTRY_CHECKSUM + Integer.BYTES;
    private static final int ENTRY_LENGTH = ENTRY_OFFSET + Long.BYTES;
    private static final int ENTRY_BYTES = ENTRY_LENGTH + Long.BYTES;
    private static final int AT_NAMES = AT_TABLE + Section.values().length * ENTRY_BYTES;

    private static final int FOOTER_SHA = Long.BYTES;
    private static final int SHA_BYTES = 32;
    private static final int FOOTER_CHECKSUM = FOOTER_SHA + SHA_BYTES;
    private static final int FOOTER_ZEROS = FOOTER_CHECKSUM + Integer.BYTES;
    private static final int FOOTER_MAGIC_AT = FOOTER_BYTES - Long.BYTES;

    private SegmentFormat() {}

    static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    static int headerBytes(SegmentIdentity identity) {
        return headerBytes(utf8(identity.lane()).length, utf8(identity.tokenizerFingerprint()).length);
    }

    private static int headerBytes(int laneBytes, int fingerprintBytes) {
        return (int) aligned(AT_NAMES + (long) laneBytes + fingerprintBytes);
    }

    static ByteBuffer encodeHeader(SegmentHeader header) {
        byte[] lane = utf8(header.identity().lane());
        byte[] fingerprint = utf8(header.identity().tokenizerFingerprint());
        int headerBytes = headerBytes(header.identity());
        ByteBuffer out = ByteBuffer.allocate(headerBytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putInt(VERSION).putInt(headerBytes).putLong(header.fileBytes());
        out.putInt(header.identity().vocabularySize());
        out.putInt(header.documents()).putInt(header.textLength());
        out.putInt(header.orderLength()).putInt(header.endsLength());
        out.putInt(header.tableShift()).putInt(header.tableLength());
        out.putInt(header.repeats() ? 1 : 0);
        out.putLong(header.liveTokens()).putLong(header.newestCompletedAtMillis());
        out.putInt(Section.ALL.length)
                .putInt(lane.length)
                .putInt(fingerprint.length)
                .putInt(0);
        out.putInt(header.tails() ? 1 : 0)
                .putInt(header.hiddenLength())
                .putInt(header.signatures() ? 1 : 0)
                .putInt(header.copies() ? 1 : 0);
        for (Section section : Section.ALL) {
            out.putInt(section.id()).putInt(header.checksums()[section.index()]);
            out.putLong(header.offset(section)).putLong(header.sectionBytes(section));
        }
        out.put(lane).put(fingerprint);
        out.putInt(AT_CHECKSUM, headerChecksum(out, headerBytes));
        return out.clear();
    }

    static ByteBuffer encodeFooter(long fileBytes, byte[] sha256) {
        ByteBuffer out = ByteBuffer.allocate(FOOTER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(fileBytes).put(sha256);
        out.putInt(crc(out.slice(0, FOOTER_CHECKSUM)));
        out.putLong(FOOTER_MAGIC_AT, FOOTER_MAGIC);
        return out.clear();
    }

    /** Reads and checks header and footer: everything but the sections' bytes. */
    static SegmentHeader decode(Path file, ByteBuffer bytes) throws CorruptSegmentException {
        int size = bytes.limit();
        require(file, 0, "file length", "at least " + (AT_NAMES + FOOTER_BYTES), size, size >= AT_NAMES + FOOTER_BYTES);
        requireEqual(file, 0, "magic", MAGIC, bytes.getLong(0));
        requireEqual(file, AT_VERSION, "format version", VERSION, bytes.getInt(AT_VERSION));
        requireEqual(file, AT_FILE_BYTES, "file length", size, bytes.getLong(AT_FILE_BYTES));
        int laneBytes = bounded(file, bytes, AT_LANE_BYTES, "lane length", 1, SegmentIdentity.LANE_BYTES_MAX);
        int fingerprintBytes = bounded(
                file, bytes, AT_FINGERPRINT_BYTES, "fingerprint length", 1, SegmentIdentity.FINGERPRINT_BYTES_MAX);
        int headerBytes = headerBytes(laneBytes, fingerprintBytes);
        requireEqual(file, AT_HEADER_BYTES, "header length", headerBytes, bytes.getInt(AT_HEADER_BYTES));
        require(file, 0, "file length", "at least " + headerBytes, size, size >= headerBytes + FOOTER_BYTES);
        int checksum = headerChecksum(bytes, headerBytes);
        requireEqual(file, AT_CHECKSUM, "header checksum", hex(checksum), hex(bytes.getInt(AT_CHECKSUM)));
        SegmentHeader header = decodeNumbers(file, bytes, laneBytes, fingerprintBytes);
        checkSectionTable(file, bytes, header);
        checkFooter(file, bytes, header);
        return header;
    }

    private static SegmentHeader decodeNumbers(Path file, ByteBuffer bytes, int laneBytes, int fingerprintBytes)
            throws CorruptSegmentException {
        SegmentIdentity identity = new SegmentIdentity(
                text(file, bytes, AT_NAMES, laneBytes),
                bounded(file, bytes, AT_VOCABULARY, "vocabulary size", 1, Integer.MAX_VALUE),
                text(file, bytes, AT_NAMES + laneBytes, fingerprintBytes));
        int[] checksums = new int[Section.ALL.length];
        for (int i = 0; i < checksums.length; i++) {
            checksums[i] = bytes.getInt(AT_TABLE + i * ENTRY_BYTES + ENTRY_CHECKSUM);
        }
        return new SegmentHeader(
                identity,
                bounded(file, bytes, AT_DOCUMENTS, "documents", 0, Integer.MAX_VALUE - 1),
                bounded(file, bytes, AT_TEXT_LENGTH, "text length", 0, Integer.MAX_VALUE),
                bounded(file, bytes, AT_ORDER_LENGTH, "order entries", 0, Integer.MAX_VALUE),
                bounded(file, bytes, AT_ENDS_LENGTH, "ends entries", 0, Integer.MAX_VALUE),
                bounded(file, bytes, AT_TABLE_SHIFT, "last-token table shift", 0, Integer.SIZE - 1),
                bounded(file, bytes, AT_TABLE_LENGTH, "last-token table entries", 1, Integer.MAX_VALUE),
                bounded(file, bytes, AT_REPEATS, "repeats flag", 0, 1) == 1,
                bounded(file, bytes, AT_TAILS, "tails flag", 0, 1) == 1,
                bounded(file, bytes, AT_HIDDEN_LENGTH, "hidden entries", 0, Integer.MAX_VALUE),
                bounded(file, bytes, AT_SIGNATURES, "signatures flag", 0, 1) == 1,
                bounded(file, bytes, AT_COPIES, "copies flag", 0, 1) == 1,
                bytes.getLong(AT_LIVE_TOKENS),
                bytes.getLong(AT_NEWEST),
                checksums);
    }

    private static void checkSectionTable(Path file, ByteBuffer bytes, SegmentHeader header)
            throws CorruptSegmentException {
        requireEqual(file, AT_SECTIONS, "section count", Section.ALL.length, bytes.getInt(AT_SECTIONS));
        requireEqual(file, AT_FILE_BYTES, "file length", header.fileBytes(), bytes.getLong(AT_FILE_BYTES));
        for (Section section : Section.ALL) {
            int at = AT_TABLE + section.index() * ENTRY_BYTES;
            requireEqual(file, at, "id of section " + section, section.id(), bytes.getInt(at));
            long offset = bytes.getLong(at + ENTRY_OFFSET);
            requireEqual(file, at + ENTRY_OFFSET, "offset of section " + section, header.offset(section), offset);
            long length = bytes.getLong(at + ENTRY_LENGTH);
            requireEqual(file, at + ENTRY_LENGTH, "length of section " + section, header.sectionBytes(section), length);
        }
    }

    private static void checkFooter(Path file, ByteBuffer bytes, SegmentHeader header) throws CorruptSegmentException {
        int at = (int) header.footerOffset();
        ByteBuffer footer = bytes.slice(at, FOOTER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long magic = footer.getLong(FOOTER_MAGIC_AT);
        requireEqual(file, at + (long) FOOTER_MAGIC_AT, "footer magic", FOOTER_MAGIC, magic);
        requireEqual(file, at, "file length in the footer", header.fileBytes(), footer.getLong(0));
        int checksum = crc(footer.slice(0, FOOTER_CHECKSUM));
        String got = hex(footer.getInt(FOOTER_CHECKSUM));
        requireEqual(file, at + (long) FOOTER_CHECKSUM, "footer checksum", hex(checksum), got);
        for (int i = FOOTER_ZEROS; i < FOOTER_MAGIC_AT; i++) {
            requireEqual(file, at + (long) i, "footer gap", 0, (int) footer.get(i));
        }
    }

    /** The footer's SHA-256 of everything before it. */
    static byte[] footerSha256(ByteBuffer bytes) {
        byte[] sha256 = new byte[SHA_BYTES];
        bytes.get(bytes.limit() - FOOTER_BYTES + FOOTER_SHA, sha256);
        return sha256;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK lacks SHA-256", e);
        }
    }

    static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    static String hex(int checksum) {
        return String.format("0x%08x", checksum);
    }

    private static int headerChecksum(ByteBuffer bytes, int headerBytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, AT_CHECKSUM));
        crc.update(new byte[Integer.BYTES]);
        crc.update(bytes.slice(AT_TAILS, headerBytes - AT_TAILS));
        return (int) crc.getValue();
    }

    private static String text(Path file, ByteBuffer bytes, int at, int length) throws CorruptSegmentException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes.slice(at, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw CorruptSegmentException.at(file, at, "name", "UTF-8", e.getMessage());
        }
    }

    private static int bounded(Path file, ByteBuffer bytes, int at, String what, int min, int max)
            throws CorruptSegmentException {
        int value = bytes.getInt(at);
        require(file, at, what, min + " to " + max, value, value >= min && value <= max);
        return value;
    }

    static void requireEqual(Path file, long at, String what, long expected, long got) throws CorruptSegmentException {
        require(file, at, what, expected, got, expected == got);
    }

    static void requireEqual(Path file, long at, String what, String expected, String got)
            throws CorruptSegmentException {
        require(file, at, what, expected, got, expected.equals(got));
    }

    static void require(Path file, long at, String what, Object expected, Object got, boolean holds)
            throws CorruptSegmentException {
        if (!holds) {
            throw CorruptSegmentException.at(file, at, what, expected, got);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long littleEndian(String magic) {
        return ByteBuffer.wrap(utf8(magic)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }
}
