package io.tailrace.suffix.segment;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file mapped read-only, little-endian. The only place where files are mapped and unmapped. */
final class MappedFile implements AutoCloseable {
    static final long BYTES_MAX = Integer.MAX_VALUE;

    private final Path path;
    private MappedByteBuffer bytes;

    private MappedFile(Path path, MappedByteBuffer bytes) {
        this.path = path;
        this.bytes = bytes;
    }

    /** Maps a file of at most 2 GiB - 1 bytes. */
    static MappedFile open(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size > BYTES_MAX) {
                throw CorruptSegmentException.at(path, 0, "file size", "at most " + BYTES_MAX, size);
            }
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
            bytes.order(ByteOrder.LITTLE_ENDIAN);
            return new MappedFile(path, bytes);
        }
    }

    Path path() {
        return path;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    int size() {
        return bytes.limit();
    }

    /** A little-endian view of part of the file. */
    ByteBuffer slice(long offset, long length) {
        return bytes.slice(Math.toIntExact(offset), Math.toIntExact(length)).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Unmaps the file; views of it must not be used any more. */
    @Override
    public void close() {
        MappedByteBuffer mapped = bytes;
        bytes = null;
        if (mapped != null && mapped.capacity() > 0) {
            Unmapper.unmap(mapped);
        }
    }

    /** JDK 17 has no public way to unmap: {@code sun.misc.Unsafe.invokeCleaner} is the supported private one. */
    private static final class Unmapper {
        private static final Object UNSAFE;
        private static final Method INVOKE_CLEANER;

        static {
            try {
                Class<?> unsafe = Class.forName("sun.misc.Unsafe");
                Field instance = unsafe.getDeclaredField("theUnsafe");
                instance.setAccessible(true);
                UNSAFE = instance.get(null);
                INVOKE_CLEANER = unsafe.getMethod("invokeCleaner", ByteBuffer.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        static void unmap(MappedByteBuffer mapped) {
            try {
                INVOKE_CLEANER.invoke(UNSAFE, mapped);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot unmap a segment file", e);
            }
        }
    }
}
