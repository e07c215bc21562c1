package io.tailrace.tap;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that says byte for byte what a test tells it to. */
final class FakeServer implements AutoCloseable {
    /** What it answers to a request. */
    interface Script {
        void answer(RawHttp.Message request, Socket client) throws IOException, InterruptedException;
    }

    private final ServerSocket listening;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    final List<RawHttp.Message> requests = new CopyOnWriteArrayList<>();

    private final List<AssertionError> failures = new CopyOnWriteArrayList<>();
    private final Script script;

    FakeServer(Script script) {
        this.script = script;
        try {
            listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    /** Answers 200 with a body of a type. */
    static FakeServer saying(String type, String body) {
        return new FakeServer((request, client) -> whole(client, 200, type, body.getBytes(StandardCharsets.UTF_8)));
    }

    static void whole(Socket client, int status, String type, byte[] body) throws IOException {
        head(
                client,
                "HTTP/1.1 %d X\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n".formatted(status, type, body.length));
        client.getOutputStream().write(body);
    }

    static void chunkedHead(Socket client, String type) throws IOException {
        head(client, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n".formatted(type));
    }

    static void head(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        client.getOutputStream().flush();
    }

    static void chunk(Socket client, byte[] bytes, int from, int to) throws IOException {
        OutputStream out = client.getOutputStream();
        byte[] size = (Integer.toHexString(to - from) + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[size.length + to - from + 2];
        System.arraycopy(size, 0, all, 0, size.length);
        System.arraycopy(bytes, from, all, size.length, to - from);
        all[all.length - 2] = '\r';
        all[all.length - 1] = '\n';
        out.write(all);
        out.flush();
    }

    /** Until the other side has closed. */
    static void awaitEnd(Socket client) throws IOException {
        client.setSoTimeout(60_000);
        try {
            if (client.getInputStream().read() >= 0) {
                throw new AssertionError("something came behind the request");
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the other side does not leave", e);
        } catch (SocketException e) {
            // It has left without reading all.
        }
    }

    static void end(Socket client) throws IOException {
        end(client, List.of());
    }

    static void end(Socket client, List<String> trailers) throws IOException {
        StringBuilder end = new StringBuilder("0\r\n");
        trailers.forEach(trailer -> end.append(trailer).append("\r\n"));
        head(client, end.append("\r\n").toString());
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                client.setTcpNoDelay(true);
                sockets.add(client);
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            ReadAhead in = new ReadAhead(client);
            RawHttp.Message request = RawHttp.read(in);
            if (!in.isEmpty()) {
                throw new AssertionError("something came behind the request");
            }
            if (request != null) {
                requests.add(request);
                script.answer(request, client);
            }
        } catch (IOException | InterruptedException e) {
            // The other side has closed, or the test is over.
        } catch (AssertionError e) {
            failures.add(e);
        } catch (RuntimeException e) {
            failures.add(new AssertionError("what this server was to answer failed", e));
        } finally {
            sockets.remove(client);
        }
    }

    /** Reads many bytes at once, and knows whether it has some that nobody has asked for. */
    private static final class ReadAhead extends BufferedInputStream {
        ReadAhead(Socket client) throws IOException {
            super(client.getInputStream());
        }

        boolean isEmpty() {
            return pos == count;
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
        for (AssertionError failure : failures) {
            throw failure;
        }
    }
}
