package io.tailrace.tap.proxy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A copy of a body that passes, in memory. One that grows beyond its limit, or for which there is no room, is dropped at once. Safe for any
 * number of threads: an answer may end in another than the one that brings its bytes.
 */
public final class KeptBody implements AutoCloseable {
    private static final int BYTES_AT_FIRST = 1 << 10;

    /** What became of a body. */
    public enum State {
        KEPT,
        /** It has more bytes than one may have. */
        TOO_LARGE,
        /** All kept bodies together have no room for it. */
        NO_ROOM,
        CLOSED
    }

    private final Room room;
    private final int bytesMax;
    private byte[] bytes = {};
    private int length;
    private State state = State.KEPT;

    KeptBody(Room room, int bytesMax) {
        this.room = room;
        this.bytesMax = bytesMax;
    }

    /** Copies what a buffer has left, and leaves the buffer as it is. */
    synchronized void add(ByteBuffer passing) {
        if (state != State.KEPT || !passing.hasRemaining()) {
            return;
        }
        long needed = (long) length + passing.remaining();
        if (needed > bytesMax) {
            drop(State.TOO_LARGE);
        } else if (needed > bytes.length && !grow(needed)) {
            drop(State.NO_ROOM);
        } else {
            passing.duplicate().get(bytes, length, passing.remaining());
            length += passing.remaining();
        }
    }

    public synchronized State state() {
        return state;
    }

    /** The body, if it was kept; empty otherwise. */
    public synchronized byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** Forgets the body and gives its room back. */
    @Override
    public synchronized void close() {
        drop(State.CLOSED);
    }

    private boolean grow(long needed) {
        int capacity = (int) Math.min(bytesMax, Math.max(needed, Math.max(BYTES_AT_FIRST, 2L * bytes.length)));
        if (!room.take(capacity - bytes.length)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, capacity);
        return true;
    }

    private void drop(State why) {
        room.free(bytes.length);
        bytes = new byte[0];
        length = 0;
        state = why;
    }

    /** The room that all kept bodies share. Safe for any number of threads. */
    static final class Room {
        private final long bytesMax;
        private final AtomicLong taken = new AtomicLong();

        Room(long bytesMax) {
            this.bytesMax = bytesMax;
        }

        long taken() {
            return taken.get();
        }

        private boolean take(long bytes) {
            if (taken.addAndGet(bytes) <= bytesMax) {
                return true;
            }
            free(bytes);
            return false;
        }

        private void free(long bytes) {
            taken.addAndGet(-bytes);
        }
    }
}
