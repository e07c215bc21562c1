package io.tailrace.lab.recorded;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** How a file is compressed, told by its first bytes. */
public enum Packing {
    PLAIN,
    GZIP,
    ZSTD;

    private static final byte[] GZIP_MAGIC = {0x1f, (byte) 0x8b};
    private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};
    private static final byte[] UTF_8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    private static final int BUFFER_BYTES = 1 << 16;

    /** What a file begins like. */
    public static Packing of(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] begin = in.readNBytes(ZSTD_MAGIC.length);
            if (Arrays.equals(begin, ZSTD_MAGIC)) {
                return ZSTD;
            }
            return begin.length >= 2 && begin[0] == GZIP_MAGIC[0] && begin[1] == GZIP_MAGIC[1] ? GZIP : PLAIN;
        }
    }

    /** What is in a file, unpacked as it is read, without the mark that some programs put before UTF-8. */
    public static InputStream open(Path file) throws IOException {
        Packing packing = of(file);
        InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            return unmarked(
                    switch (packing) {
                        case PLAIN -> in;
                        case GZIP -> new GZIPInputStream(in, BUFFER_BYTES);
                        case ZSTD -> new ZstdInputStream(in);
                    });
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static InputStream unmarked(InputStream unpacked) throws IOException {
        PushbackInputStream in = new PushbackInputStream(unpacked, UTF_8_MARK.length);
        byte[] begin = in.readNBytes(UTF_8_MARK.length);
        if (!Arrays.equals(begin, UTF_8_MARK)) {
            in.unread(begin);
        }
        return in;
    }
}
