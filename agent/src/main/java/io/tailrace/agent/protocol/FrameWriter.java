package io.tailrace.agent.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes a frame's fields one after the other. Reused: nothing is allocated once its buffer has grown. One thread. */
public final class FrameWriter {
    private static final int BYTES_FIRST = 1 << 12;

    private ByteBuffer buffer = allocate(BYTES_FIRST);

    /** Begins a frame; what was written before is forgotten. */
    public FrameWriter begin(int type, long sequence) {
        buffer.clear();
        return u32(0).u32(type).i64(sequence);
    }

    public FrameWriter u32(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    public FrameWriter i64(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    public FrameWriter f32(float value) {
        room(Float.BYTES).putFloat(value);
        return this;
    }

    /** What is too long is cut at a character. */
    public FrameWriter string(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, FrameFormat.STRING_BYTES_MAX);
        while (length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
            length--;
        }
        u32(length);
        room(length + FrameFormat.ALIGNMENT).put(bytes, 0, length).put(new byte[FrameFormat.padding(length)]);
        return this;
    }

    /** Writes a number where another stands. */
    void u32At(int at, int value) {
        buffer.putInt(at, value);
    }

    /** What stands behind the header so far; a view. */
    ByteBuffer body() {
        return buffer.slice(FrameFormat.HEADER_BYTES, buffer.position() - FrameFormat.HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The whole frame, to be sent at once; valid until the next one is begun. */
    public ByteBuffer end() {
        buffer.putInt(FrameFormat.LENGTH_AT, buffer.position() - FrameFormat.HEADER_BYTES);
        return buffer.flip();
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            ByteBuffer larger = allocate(Math.max(2 * buffer.capacity(), buffer.position() + bytes));
            buffer = larger.put(buffer.flip());
        }
        return buffer;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
