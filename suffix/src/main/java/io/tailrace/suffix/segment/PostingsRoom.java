package io.tailrace.suffix.segment;

/**
 * Heap that the postings of all segments of a process may take together. A segment's postings have room if they take at most half of what is
 * free. So large segments, which are a lane's oldest, go without first, and leave room for small new ones. Safe for any number of threads.
 */
final class PostingsRoom {
    private static final int HEAP_SHARE = 8;
    private static final PostingsRoom OF_PROCESS =
            new PostingsRoom(Runtime.getRuntime().maxMemory() / HEAP_SHARE);

    private long bytesFree;

    PostingsRoom(long bytesMax) {
        bytesFree = bytesMax;
    }

    /** An eighth of this process's heap, for all lanes of all models. */
    static PostingsRoom ofProcess() {
        return OF_PROCESS;
    }

    /** Takes room, if there is so much. */
    synchronized boolean take(long bytes) {
        boolean fits = bytes <= bytesFree / 2;
        bytesFree -= fits ? bytes : 0;
        return fits;
    }

    synchronized void giveBack(long bytes) {
        bytesFree += bytes;
    }

    synchronized long bytesFree() {
        return bytesFree;
    }
}
