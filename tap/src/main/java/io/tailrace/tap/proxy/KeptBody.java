package io.tailrace.tap.proxy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A copy of a body that passes, in memory. One that grows beyond its limit, or for which there is no room, is dropped at once. While there is none, the
 * requests that have been arriving longest are dropped first: what is whole can be published, and they may never be. Safe for any number of threads: an answer may
 * end in another than the one that brings its bytes.
 */
public final class KeptBody implements AutoCloseable {
    private static final int PIECE_BYTES_MIN = 1 << 10;
    private static final int PIECE_BYTES_MAX = 64 << 10;

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
    private final List<byte[]> pieces = new ArrayList<>();
    private int length;
    /** Of the last piece. */
    private int pieceBytes;

    private State state = State.KEPT;
    /** The room's, as is the next. */
    private boolean arriving;

    private long held;

    KeptBody(Room room, int bytesMax) {
        this.room = room;
        this.bytesMax = bytesMax;
    }

    /** One that gives way to others until it has {@link #arrived}. */
    static KeptBody arriving(Room room, int bytesMax) {
        KeptBody body = new KeptBody(room, bytesMax);
        body.arriving = true;
        return body;
    }

    /** Copies what a buffer has left, and leaves the buffer as it is. */
    void add(ByteBuffer passing) {
        List<KeptBody> dropped = new ArrayList<>(0);
        copy(passing.duplicate(), dropped);
        dropped.forEach(KeptBody::giveWay);
    }

    /** It is whole, and keeps its room. */
    void arrived() {
        room.arrived(this);
    }

    public synchronized State state() {
        return state;
    }

    /** The body, if it was kept; empty otherwise. */
    public synchronized byte[] bytes() {
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] piece : pieces) {
            all.put(piece, 0, Math.min(piece.length, all.remaining()));
        }
        return all.array();
    }

    /** Forgets the body and gives its room back. */
    @Override
    public synchronized void close() {
        drop(State.CLOSED);
    }

    private synchronized void copy(ByteBuffer passing, List<KeptBody> dropped) {
        if (state == State.KEPT && (long) length + passing.remaining() > bytesMax) {
            drop(State.TOO_LARGE);
        }
        while (state == State.KEPT && passing.hasRemaining()) {
            if (pieces.isEmpty() || pieceBytes == last().length) {
                addPiece(dropped);
            } else {
                int count = Math.min(passing.remaining(), last().length - pieceBytes);
                passing.get(last(), pieceBytes, count);
                pieceBytes += count;
                length += count;
            }
        }
    }

    private byte[] last() {
        return pieces.get(pieces.size() - 1);
    }

    /** As large as all before, within bounds: a short body takes little, a long one few. */
    private void addPiece(List<KeptBody> dropped) {
        int bytes = Math.min(bytesMax - length, Math.max(PIECE_BYTES_MIN, Math.min(PIECE_BYTES_MAX, length)));
        if (room.take(this, bytes, dropped)) {
            pieces.add(new byte[bytes]);
            pieceBytes = 0;
        } else {
            drop(State.NO_ROOM);
        }
    }

    private synchronized void giveWay() {
        if (state == State.KEPT) {
            drop(State.NO_ROOM);
        }
    }

    private void drop(State why) {
        room.free(this);
        pieces.clear();
        length = 0;
        state = why;
    }

    /** The room that all kept bodies share. Safe for any number of threads. */
    static final class Room {
        private final long bytesMax;
        /** Those that began first in front. */
        private final Set<KeptBody> arriving = new LinkedHashSet<>();

        private long taken;

        Room(long bytesMax) {
            this.bytesMax = bytesMax;
        }

        synchronized long taken() {
            return taken;
        }

        /**
         * Whether a body may take so many bytes more.
         *
         * @param dropped gets the bodies that have lost theirs for it, which are told under no lock
         */
        private synchronized boolean take(KeptBody body, int bytes, List<KeptBody> dropped) {
            if (body.arriving) {
                arriving.add(body);
            }
            while (taken + bytes > bytesMax && !arriving.isEmpty()) {
                KeptBody first = arriving.iterator().next();
                if (first == body) {
                    return false;
                }
                free(first);
                dropped.add(first);
            }
            if (taken + bytes > bytesMax) {
                return false;
            }
            taken += bytes;
            body.held += bytes;
            return true;
        }

        private synchronized void arrived(KeptBody body) {
            body.arriving = false;
            arriving.remove(body);
        }

        private synchronized void free(KeptBody body) {
            taken -= body.held;
            body.held = 0;
            arriving.remove(body);
        }
    }
}
