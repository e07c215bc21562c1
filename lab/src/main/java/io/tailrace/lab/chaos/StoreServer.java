package io.tailrace.lab.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The store's folder over HTTP, as workers read it. */
final class StoreServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final Path root;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    StoreServer(Path root, int port) throws IOException {
        this.root = root.toAbsolutePath().normalize();
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 64);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            // A segment's path has percent signs of its own; those of the address are decoded once.
            Path file = root.resolve(exchange.getRequestURI().getPath().substring(1))
                    .normalize();
            byte[] bytes = file.startsWith(root) && Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
            exchange.sendResponseHeaders(bytes == null ? NOT_FOUND : OK, bytes == null ? -1 : bytes.length);
            if (bytes != null) {
                exchange.getResponseBody().write(bytes);
            }
        } catch (NoSuchFileException removedMeanwhile) {
            exchange.sendResponseHeaders(NOT_FOUND, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
