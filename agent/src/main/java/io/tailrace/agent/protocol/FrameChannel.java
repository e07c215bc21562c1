package io.tailrace.agent.protocol;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ByteChannel;

/** Frames over a connection. One thread reads and writes; any may close. */
public final class FrameChannel implements AutoCloseable {
    private static final int BYTES_FIRST = 1 << 16;

    private final ByteChannel channel;
    /** Takes memory once bytes come. */
    private ByteBuffer in = allocate(0);

    private long sequence;

    public FrameChannel(ByteChannel channel) {
        this.channel = channel;
    }

    /** Waits for the first frame, which is a short one: nobody has been let in yet. */
    public Frame readHello() throws IOException, RefusedEngineException {
        return read(FrameFormat.HELLO_BYTES_MAX);
    }

    /**
     * Waits for a frame.
     *
     * @return null if the other side has closed between two frames
     * @throws EOFException if it has closed within one
     * @throws RefusedEngineException if the frame is too long
     */
    public Frame read() throws IOException, RefusedEngineException {
        return read(FrameFormat.BODY_BYTES_MAX);
    }

    private Frame read(int bodyBytesMax) throws IOException, RefusedEngineException {
        if (!fill(FrameFormat.HEADER_BYTES)) {
            return null;
        }
        int start = in.position();
        long bytes = Integer.toUnsignedLong(in.getInt(start + FrameFormat.LENGTH_AT));
        int type = in.getInt(start + FrameFormat.TYPE_AT);
        sequence = in.getLong(start + FrameFormat.SEQUENCE_AT);
        if (bytes > bodyBytesMax) {
            throw RefusedEngineException.broken(
                    "this frame's body must be at most %d bytes, got %d".formatted(bodyBytesMax, bytes));
        }
        in.position(start + FrameFormat.HEADER_BYTES);
        if (!fill((int) bytes)) {
            throw new EOFException("closed in the middle of a frame");
        }
        ByteBuffer body = in.slice(in.position(), (int) bytes).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + (int) bytes);
        return new Frame(type, sequence, new FrameReader(body));
    }

    /** The sequence of the frame that was read last, broken or not. */
    public long sequence() {
        return sequence;
    }

    /** Whether bytes have come behind the frame that was read last. */
    public boolean holdsMore() {
        return in.hasRemaining();
    }

    /** Sends what a writer holds, all of it. */
    public void write(FrameWriter frame) throws IOException {
        ByteBuffer bytes = frame.end();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** True once so many bytes are there; false if the other side has closed before the first of them. */
    private boolean fill(int bytes) throws IOException {
        if (in.remaining() >= bytes) {
            return true;
        }
        boolean any = in.hasRemaining();
        in.compact();
        while (in.position() < bytes) {
            if (!in.hasRemaining()) {
                grow();
            }
            int read = channel.read(in);
            if (read < 0) {
                in.flip();
                if (any || in.hasRemaining()) {
                    throw new EOFException("closed in the middle of a frame");
                }
                return false;
            }
        }
        in.flip();
        return true;
    }

    /** As bytes come: a length that is only claimed costs nothing. */
    private void grow() {
        in = allocate(Math.max(BYTES_FIRST, 2 * in.capacity())).put(in.flip());
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /**
     * A frame that was read.
     *
     * @param type one of {@link FrameFormat}
     * @param sequence its number
     * @param body valid until the next frame is read
     */
    public record Frame(int type, long sequence, FrameReader body) {}
}
