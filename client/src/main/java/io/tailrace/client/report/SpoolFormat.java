package io.tailrace.client.report;

import io.tailrace.schemas.Topic;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32C;

/**
 * Bytes of a spool's files, big-endian: here those with records, in {@link Cursor} the one that says how far they are sent.
 *
 * <pre>
 * file    = magic record*
 * record  = length checksum payload
 * payload = topicLength topic keyLength key value
 * </pre>
 *
 * <table>
 *   <caption>Fields</caption>
 *   <tr><td>magic</td><td>8 bytes</td><td>{@code TRSPOOL1}</td></tr>
 *   <tr><td>length</td><td>4</td><td>bytes of the payload</td></tr>
 *   <tr><td>checksum</td><td>4</td><td>CRC-32C of the payload</td></tr>
 *   <tr><td>topicLength, keyLength</td><td>2 each</td><td>unsigned</td></tr>
 *   <tr><td>topic</td><td>topicLength</td><td>UTF-8</td></tr>
 *   <tr><td>value</td><td>the rest</td><td>the record as it goes to Kafka</td></tr>
 * </table>
 */
final class SpoolFormat {
    static final byte[] MAGIC = "TRSPOOL1".getBytes(StandardCharsets.US_ASCII);
    static final int PREFIX_BYTES = 8;
    static final int NAME_BYTES_MAX = 0xFFFF;
    static final int PAYLOAD_BYTES_MAX = Topic.RECORD_BYTES_MAX + 2 * (NAME_BYTES_MAX + 2);

    private SpoolFormat() {}

    static ByteBuffer encode(Spool.Entry spooled) {
        byte[] topic = spooled.topic().getBytes(StandardCharsets.UTF_8);
        int payload = 4 + topic.length + spooled.key().length + spooled.value().length;
        if (topic.length > NAME_BYTES_MAX || spooled.key().length > NAME_BYTES_MAX || payload > PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a spooled record has at most %d bytes, its topic and key %d each; got %d, %d and %d"
                            .formatted(PAYLOAD_BYTES_MAX, NAME_BYTES_MAX, payload, topic.length, spooled.key().length));
        }
        ByteBuffer bytes = ByteBuffer.allocate(PREFIX_BYTES + payload);
        bytes.position(PREFIX_BYTES);
        bytes.putShort((short) topic.length).put(topic);
        bytes.putShort((short) spooled.key().length).put(spooled.key());
        bytes.put(spooled.value());
        bytes.putInt(0, payload).putInt(4, checksum(bytes, PREFIX_BYTES, payload));
        return bytes.flip();
    }

    /** Size of the whole record that begins at the buffer's position, or -1 if no intact one does. Leaves the position. */
    static int intactBytes(ByteBuffer bytes) {
        if (bytes.remaining() < PREFIX_BYTES) {
            return -1;
        }
        int payload = bytes.getInt(bytes.position());
        if (payload < 4 || payload > PAYLOAD_BYTES_MAX || payload > bytes.remaining() - PREFIX_BYTES) {
            return -1;
        }
        int expected = bytes.getInt(bytes.position() + 4);
        boolean intact = checksum(bytes, bytes.position() + PREFIX_BYTES, payload) == expected
                && fits(bytes.slice(bytes.position() + PREFIX_BYTES, payload));
        return intact ? PREFIX_BYTES + payload : -1;
    }

    /** Whether topic and key end within the payload. */
    private static boolean fits(ByteBuffer payload) {
        int keyAt = 2 + Short.toUnsignedInt(payload.getShort(0));
        return keyAt + 2 <= payload.limit()
                && keyAt + 2 + Short.toUnsignedInt(payload.getShort(keyAt)) <= payload.limit();
    }

    /** Decodes the intact record at the buffer's position and moves behind it. */
    static Spool.Entry decode(ByteBuffer bytes) {
        int end = bytes.position() + PREFIX_BYTES + bytes.getInt(bytes.position());
        bytes.position(bytes.position() + PREFIX_BYTES);
        byte[] topic = take(bytes, Short.toUnsignedInt(bytes.getShort()));
        byte[] key = take(bytes, Short.toUnsignedInt(bytes.getShort()));
        byte[] value = take(bytes, end - bytes.position());
        return new Spool.Entry(new String(topic, StandardCharsets.UTF_8), key, value);
    }

    private static byte[] take(ByteBuffer bytes, int count) {
        byte[] taken = new byte[count];
        bytes.get(taken);
        return taken;
    }

    private static int checksum(ByteBuffer bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, length));
        return (int) crc.getValue();
    }

    /**
     * How far a spool was sent, in a file of its own: file number, offset, CRC-32C of both, 8 bytes each. Written aside and
     * renamed, so it is old or new. Without it, or if it is damaged or no cursor of a spool's files, everything is
     * sent again.
     *
     * @param file number of the spool file
     * @param offset all records before it are sent
     */
    record Cursor(long file, long offset) {
        static final Cursor START = new Cursor(-1, 0);
        private static final String NAME = "cursor";
        /** Files' names have sixteen digits, and another file comes behind the cursor's. */
        static final long FILE_MAX = 9_999_999_999_999_998L;

        static Cursor read(Path folder) throws IOException {
            ByteBuffer bytes;
            try {
                bytes = ByteBuffer.wrap(Files.readAllBytes(folder.resolve(NAME)));
            } catch (NoSuchFileException none) {
                return START;
            }
            boolean intact = bytes.remaining() == 24 && bytes.getLong(16) == checksum(bytes);
            Cursor read = intact ? new Cursor(bytes.getLong(0), bytes.getLong(8)) : START;
            return read.file() >= 0 && read.file() <= FILE_MAX && read.offset() >= 0 ? read : START;
        }

        void write(Path folder) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(24).putLong(0, file).putLong(8, offset);
            bytes.putLong(16, checksum(bytes));
            Path aside = folder.resolve(NAME + ".new");
            Files.write(aside, bytes.array());
            Files.move(
                    aside, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }

        private static long checksum(ByteBuffer bytes) {
            CRC32C crc = new CRC32C();
            crc.update(bytes.slice(0, 16));
            return crc.getValue();
        }
    }

    /** A spool file is not what was written into it; every other failure to read one may pass. */
    static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedException(String message) {
            super(message);
        }
    }
}
