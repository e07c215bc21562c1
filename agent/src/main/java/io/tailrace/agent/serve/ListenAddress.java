package io.tailrace.agent.serve;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where engines connect: a Unix socket, which its owner only may use, or a port of the loopback address.
 *
 * @param socket the Unix socket; null: a port
 * @param port of the loopback address, 0: any free one
 */
public record ListenAddress(Path socket, int port) {
    private static final String TCP = "tcp";
    private static final int PORT_MAX = 65_535;

    /**
     * Reads a path, or {@code tcp://127.0.0.1:PORT}.
     *
     * @throws IllegalArgumentException if it is neither, or not of this host alone
     */
    public static ListenAddress parse(String text) {
        if (!text.startsWith(TCP + ":")) {
            return new ListenAddress(Path.of(text).toAbsolutePath(), 0);
        }
        URI uri = URI.create(text);
        boolean local = "127.0.0.1".equals(uri.getHost()) || "localhost".equals(uri.getHost());
        if (!local || uri.getPort() < 0 || uri.getPort() > PORT_MAX) {
            throw new IllegalArgumentException(
                    "engines connect by a socket's path or by tcp://127.0.0.1:PORT, got '%s': what passes there is users' text, so it stays on this host"
                            .formatted(text));
        }
        return new ListenAddress(null, uri.getPort());
    }

    /** Listens; a socket that a killed agent left behind is taken over. */
    ServerSocketChannel open() throws IOException {
        if (socket == null) {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return bound(server, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(socket);
        Files.createDirectories(socket.getParent());
        if (Files.exists(socket)) {
            takeOver(address);
        }
        ServerSocketChannel server = bound(ServerSocketChannel.open(StandardProtocolFamily.UNIX), address);
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        return server;
    }

    private static ServerSocketChannel bound(ServerSocketChannel server, SocketAddress address) throws IOException {
        try {
            return server.bind(address);
        } catch (IOException e) {
            server.close();
            throw new IOException("engines cannot connect at %s: %s".formatted(address, e.getMessage()), e);
        }
    }

    private void takeOver(UnixDomainSocketAddress address) throws IOException {
        boolean answered;
        try (SocketChannel other = SocketChannel.open(address)) {
            answered = other.isConnected();
        } catch (IOException e) {
            answered = false;
        }
        if (answered) {
            throw new IOException(
                    "another agent listens at %s; stop it, or give this one another --listen".formatted(socket));
        }
        Files.delete(socket);
    }

    /** Nobody finds the socket any more. */
    void forget() throws IOException {
        if (socket != null) {
            Files.deleteIfExists(socket);
        }
    }

    @Override
    public String toString() {
        return socket == null ? "tcp://127.0.0.1:" + port : socket.toString();
    }
}
