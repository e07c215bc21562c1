package io.tailrace.tap.proxy;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;

/**
 * Looks the server's name up in a thread of its own. While a name server does not answer, a lookup holds its thread up for as long as the system waits; the threads that
 * forward go on with what is on its way.
 */
final class NameLookup implements SocketAddressResolver, AutoCloseable {
    private final SocketAddressResolver lookup;
    private final ThreadPoolExecutor thread;

    /**
     * Looks names up as the system does.
     *
     * @param waitingMax lookups that may wait; more fail at once
     */
    NameLookup(int waitingMax) {
        this(new SocketAddressResolver.Sync(), waitingMax);
    }

    NameLookup(SocketAddressResolver lookup, int waitingMax) {
        this.lookup = lookup;
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waitingMax), work -> {
            Thread names = new Thread(work, "names");
            names.setDaemon(true);
            return names;
        });
    }

    @Override
    public void resolve(String host, int port, Map<String, Object> context, Promise<List<InetSocketAddress>> found) {
        try {
            thread.execute(() -> lookup.resolve(host, port, context, found));
        } catch (RejectedExecutionException e) {
            found.failed(e);
        }
    }

    /** What waits is given up; a lookup that hangs ends with the process. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
