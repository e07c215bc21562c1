package io.tailrace.agent.protocol;

import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/** A connection that has these bytes to read, at most so many at once. */
public final class BytesChannel implements ByteChannel {
    private final ByteBuffer bytes;
    private final int atOnce;
    private int roomMax;

    public BytesChannel(byte[] bytes, int atOnce) {
        this.bytes = ByteBuffer.wrap(bytes);
        this.atOnce = atOnce;
    }

    @Override
    public int read(ByteBuffer into) {
        roomMax = Math.max(roomMax, into.capacity());
        if (!bytes.hasRemaining()) {
            return -1;
        }
        int count = Math.min(Math.min(into.remaining(), bytes.remaining()), atOnce);
        into.put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
        return count;
    }

    /** The largest buffer that it was given to fill. */
    int roomMax() {
        return roomMax;
    }

    @Override
    public int write(ByteBuffer from) {
        throw new UnsupportedOperationException("a door that only speaks");
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
