package io.tailrace.agent.serve;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A socket that one thread reads and writes as if it blocked, but that does something else while nothing comes. Any thread may close it. */
final class PatientChannel implements ByteChannel {
    private final SocketChannel socket;
    private final Selector selector;
    private final SelectionKey key;
    private final Pause pause;

    /** @param socket taken over; still the caller's if this throws */
    PatientChannel(SocketChannel socket, Pause pause) throws IOException {
        this.socket = socket;
        this.pause = pause;
        this.selector = Selector.open();
        try {
            socket.configureBlocking(false);
            this.key = socket.register(selector, SelectionKey.OP_READ);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e;
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        while (true) {
            int read = socket.read(into);
            if (read != 0 || !into.hasRemaining()) {
                return read;
            }
            long millis = pause.millis();
            if (!ready(SelectionKey.OP_READ, millis) && millis > 0) {
                pause.use();
            }
        }
    }

    /** What is there now; 0: nothing, -1: the other side has closed. */
    int readNow(ByteBuffer into) throws IOException {
        return socket.read(into);
    }

    /** Writes all. */
    @Override
    public int write(ByteBuffer bytes) throws IOException {
        int written = socket.write(bytes);
        while (bytes.hasRemaining()) {
            ready(SelectionKey.OP_WRITE, 0);
            written += socket.write(bytes);
        }
        return written;
    }

    /** Waits for so many milliseconds, or with 0 until the socket is ready or closed. */
    private boolean ready(int operation, long millis) throws IOException {
        try {
            key.interestOps(operation);
            boolean ready = selector.select(millis) > 0;
            selector.selectedKeys().clear();
            return ready;
        } catch (CancelledKeyException | ClosedSelectorException e) {
            throw (IOException) new ClosedChannelException().initCause(e);
        }
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
        try (selector) {
            socket.close();
        }
    }

    /** What is done while nothing comes. Called by the thread that reads. */
    interface Pause {
        /** After how many milliseconds without a byte {@link #use} is called; 0: never, until something has come. */
        long millis();

        /** Uses the pause; should take no longer than what may come can wait. */
        void use();
    }
}
