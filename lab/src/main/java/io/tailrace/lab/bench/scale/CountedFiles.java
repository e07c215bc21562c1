package io.tailrace.lab.bench.scale;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** A store's folder as a web server on the loopback address, for followers; counts what they fetch. */
final class CountedFiles implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int THREADS = 8;

    private final Path root;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    CountedFiles(Path root) throws IOException {
        this.root = root.toAbsolutePath().normalize();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    /** Files that were fetched. */
    long requests() {
        return requests.get();
    }

    /** Their bytes. */
    long bytes() {
        return bytes.get();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            Path file = root.resolve(exchange.getRequestURI().getPath().substring(1))
                    .normalize();
            byte[] content = file.startsWith(root) ? Files.readAllBytes(file) : new byte[0];
            exchange.sendResponseHeaders(OK, content.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(content);
            }
            requests.incrementAndGet();
            bytes.addAndGet(content.length);
        } catch (NoSuchFileException gone) {
            exchange.sendResponseHeaders(NOT_FOUND, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
