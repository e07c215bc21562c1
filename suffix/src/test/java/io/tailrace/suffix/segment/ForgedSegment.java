package io.tailrace.suffix.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A segment file whose bytes were changed, as whoever forges one would leave it. */
final class ForgedSegment {
    private static final int AT_HEADER_BYTES = 12;
    private static final int AT_FILE_BYTES = 16;
    private static final int AT_CHECKSUM = 84;
    private static final int ENTRY_BYTES = 24;
    private static final int ENTRY_OFFSET = 8;

    private ForgedSegment() {}

    /** Where a section begins. */
    static int offset(byte[] bytes, Section section) {
        return (int) littleEndian(bytes).getLong(entry(section) + ENTRY_OFFSET);
    }

    /** Makes lengths, checksums and hash right, as far as the header shows where they are. */
    static void forge(byte[] bytes) {
        int footer = bytes.length - SegmentFormat.FOOTER_BYTES;
        if (footer < SegmentFormat.AT_TABLE + Section.ALL.length * ENTRY_BYTES) {
            return;
        }
        ByteBuffer file = littleEndian(bytes);
        file.putLong(AT_FILE_BYTES, bytes.length);
        for (Section section : Section.ALL) {
            int entry = entry(section);
            long offset = file.getLong(entry + ENTRY_OFFSET);
            long length = file.getLong(entry + ENTRY_OFFSET + Long.BYTES);
            if (offset >= 0 && length >= 0 && offset <= footer && length <= footer - offset) {
                file.putInt(entry + Integer.BYTES, SegmentFormat.crc(file.slice((int) offset, (int) length)));
            }
        }
        int headerBytes = file.getInt(AT_HEADER_BYTES);
        if (headerBytes >= SegmentFormat.AT_TABLE && headerBytes <= footer) {
            file.putInt(AT_CHECKSUM, 0);
            file.putInt(AT_CHECKSUM, SegmentFormat.crc(file.slice(0, headerBytes)));
        }
        byte[] sha256 = SegmentFormat.sha256().digest(Arrays.copyOf(bytes, footer));
        file.put(footer, SegmentFormat.encodeFooter(bytes.length, sha256), 0, SegmentFormat.FOOTER_BYTES);
    }

    private static int entry(Section section) {
        return SegmentFormat.AT_TABLE + section.index() * ENTRY_BYTES;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
