package io.tailrace.client.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32C;

/**
 * How far a spool was sent, in a file of its own: file number, offset, CRC-32C of both, 8 bytes each. Written aside and
 * renamed, so it is old or new. Without it, or if it is damaged, everything is sent again.
 *
 * @param file number of the spool file
 * @param offset all records before it are sent
 */
record SpoolCursor(long file, long offset) {
    static final SpoolCursor START = new SpoolCursor(-1, 0);
    private static final String NAME = "cursor";

    static SpoolCursor read(Path folder) throws IOException {
        ByteBuffer bytes;
        try {
            bytes = ByteBuffer.wrap(Files.readAllBytes(folder.resolve(NAME)));
        } catch (NoSuchFileException none) {
            return START;
        }
        boolean intact = bytes.remaining() == 24 && bytes.getLong(16) == checksum(bytes);
        return intact ? new SpoolCursor(bytes.getLong(0), bytes.getLong(8)) : START;
    }

    void write(Path folder) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(24).putLong(0, file).putLong(8, offset);
        bytes.putLong(16, checksum(bytes));
        Path aside = folder.resolve(NAME + ".new");
        Files.write(aside, bytes.array());
        Files.move(aside, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static long checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, 16));
        return crc.getValue();
    }
}
