package io.tailrace.worker.huggingface;

import io.tailrace.worker.model.ModelLoadException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * One tensor in a safetensors file.
 *
 * @param file where it lies
 * @param name its name there
 * @param type its number format
 * @param shape its dimensions, outermost first
 * @param offset its first byte in the file
 */
public record StoredTensor(Path file, String name, Type type, long[] shape, long offset) {
    private static final int CHUNK_BYTES = 1 << 20;

    /** Numbers it holds. */
    public long size() {
        return Arrays.stream(shape).reduce(1, Math::multiplyExact);
    }

    /** Refuses another shape than the model's configuration asks for. */
    public StoredTensor requireShape(long... expected) {
        if (!Arrays.equals(shape, expected)) {
            throw new ModelLoadException(
                    "%s: tensor %s has shape %s, config.json asks for %s; the files do not belong together"
                            .formatted(file, name, Arrays.toString(shape), Arrays.toString(expected)));
        }
        return this;
    }

    /** Appends all numbers to a buffer as 32-bit floats. */
    public void writeFloats(ByteBuffer into) {
        readChunks(chunk -> {
            while (chunk.hasRemaining()) {
                into.putFloat(type.read(chunk));
            }
        });
    }

    /** Appends all numbers to a buffer as IEEE 16-bit floats. */
    public void writeHalves(ByteBuffer into) {
        readChunks(chunk -> {
            if (type == Type.F16) {
                into.put(chunk);
            }
            while (chunk.hasRemaining()) {
                into.putShort(Half.fromFloat(type.read(chunk)));
            }
        });
    }

    /** All numbers, for small tensors. */
    public float[] floats() {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(size() * Float.BYTES));
        writeFloats(bytes);
        float[] floats = new float[bytes.capacity() / Float.BYTES];
        bytes.flip().asFloatBuffer().get(floats);
        return floats;
    }

    private void readChunks(ChunkReader reader) {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long end = offset + size() * type.bytes();
            for (long at = offset; at < end; at += chunk.limit()) {
                chunk.clear().limit((int) Math.min(CHUNK_BYTES, end - at));
                readFully(channel, chunk, at);
                reader.read(chunk.flip());
            }
        } catch (IOException e) {
            throw new ModelLoadException("%s: cannot read tensor %s: %s".formatted(file, name, e.getMessage()), e);
        }
    }

    static void readFully(FileChannel channel, ByteBuffer into, long position) throws IOException {
        long at = position;
        while (into.hasRemaining()) {
            int read = channel.read(into, at);
            if (read < 0) {
                throw new IOException("the file ends at byte " + at);
            }
            at += read;
        }
    }

    private interface ChunkReader {
        void read(ByteBuffer chunk) throws IOException;
    }

    /** The number formats of weights that can be read, by the names of the safetensors format. All little-endian. */
    public enum Type {
        F32(4) {
            @Override
            float read(ByteBuffer bytes) {
                return bytes.getFloat();
            }
        },
        F16(2) {
            @Override
            float read(ByteBuffer bytes) {
                return Half.toFloat(bytes.getShort());
            }
        },
        BF16(2) {
            @Override
            float read(ByteBuffer bytes) {
                return Half.fromBfloat16(bytes.getShort());
            }
        };

        private final int bytes;

        Type(int bytes) {
            this.bytes = bytes;
        }

        /** Bytes of one number. */
        public int bytes() {
            return bytes;
        }

        abstract float read(ByteBuffer bytes);
    }
}
