package io.tailrace.lab.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A link between two parts, as a TCP proxy on loopback that can be cut, go silent or become slow. A connection has a thread for each direction; what
 * a silent link holds back waits in the sockets, and passes when the link is open again.
 */
final class Link implements AutoCloseable {
    private static final int BUFFER_BYTES = 32 << 10;
    private static final long SLOW_MILLIS = 150;
    private static final int CONNECT_MILLIS_MAX = 2_000;
    private static final long LOOK_MILLIS = 10;

    private final int target;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile State state = State.OPEN;
    private volatile boolean closed;

    /** What passes. */
    enum State {
        /** Everything. */
        OPEN,
        /** Nothing; connections break, and new ones are ended at once. */
        CUT,
        /** Nothing; connections stay, and new ones are accepted. */
        SILENT,
        /** What clients say; answers wait. */
        ONE_WAY,
        /** Everything, late. */
        SLOW
    }

    /** A link from one port to another. */
    Link(int port, int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 256);
        daemon("link-" + port, this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    void become(State next) {
        state = next;
        if (next == State.CUT) {
            sockets.forEach(Link::end);
        }
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = server.accept();
                if (state == State.CUT) {
                    end(client);
                } else {
                    sockets.add(client);
                    daemon("link-connect", () -> connect(client));
                }
            } catch (IOException e) {
                if (!closed) {
                    throw new IllegalStateException("link " + port() + " accepts no connections any more", e);
                }
            }
        }
    }

    private void connect(Socket client) {
        Socket there = new Socket();
        try {
            there.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), CONNECT_MILLIS_MAX);
            client.setTcpNoDelay(true);
            there.setTcpNoDelay(true);
        } catch (IOException nobodyListens) {
            forget(client);
            end(there);
            return;
        }
        sockets.add(there);
        daemon("link-answers", () -> pump(there, client, false));
        pump(client, there, true);
    }

    private void pump(Socket from, Socket to, boolean asks) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitPassage(asks);
                out.write(buffer, 0, read);
            }
        } catch (IOException | InterruptedException broken) {
            // Both ends are told below.
        } finally {
            forget(from);
            forget(to);
        }
    }

    private void awaitPassage(boolean asks) throws InterruptedException {
        if (state == State.SLOW) {
            TimeUnit.MILLISECONDS.sleep(SLOW_MILLIS);
        }
        while (state == State.SILENT || (state == State.ONE_WAY && !asks)) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void forget(Socket socket) {
        end(socket);
        sockets.remove(socket);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more, whatever it says.
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        server.close();
        state = State.CUT;
        sockets.forEach(Link::end);
    }
}
